import type { Sign } from "@atelier/presentation";
import type { Storage } from "@atelier/storage";
import type { ApiConfig } from "../../config.ts";

/** The services that URLs are signed with. */
interface SigningDependencies {
  readonly config: Pick<ApiConfig, "URL_LIFE_SECONDS">;
  readonly storage: Pick<Storage, "sign">;
}

/** Creates a function that signs URLs of stored files with the configured lifetime. */
export function signWith({ config, storage }: SigningDependencies): Sign {
  return (storageKey, downloadName) =>
    storage.sign(storageKey, { expiresInSeconds: config.URL_LIFE_SECONDS, downloadName });
}
