import type { Sign } from "@atelier/generations";
import type { ApiDependencies } from "../dependencies.ts";

/** Signs URLs of stored files for as long as the configuration says. */
export function signWith({ config, storage }: ApiDependencies): Sign {
  return (storageKey, downloadName) =>
    storage.sign(storageKey, { expiresInSeconds: config.URL_LIFE_SECONDS, downloadName });
}
