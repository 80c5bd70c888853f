import type { Sign } from "@atelier/presentation";
import type { ApiDependencies } from "../dependencies.ts";

/** Creates a function that signs URLs of stored files with the configured lifetime. */
export function signWith({ config, storage }: Pick<ApiDependencies, "config" | "storage">): Sign {
  return (storageKey, downloadName) =>
    storage.sign(storageKey, { expiresInSeconds: config.URL_LIFE_SECONDS, downloadName });
}
