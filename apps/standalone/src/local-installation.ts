import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateJson } from "./private-file.ts";

/**
 * Tells the operator's commands how to reach this installation while it runs: `local.json`.
 *
 * @returns a function that takes it back.
 */
export async function announceInstallation(
  home: string,
  installation: {
    readonly databaseUrl: string;
    readonly keyPepper: string;
    readonly storageUrl: string;
  },
): Promise<() => Promise<void>> {
  const path = join(home, "local.json");
  await writePrivateJson(path, {
    database_url: installation.databaseUrl,
    key_pepper: installation.keyPepper,
    storage_url: installation.storageUrl,
  });
  return () => rm(path, { force: true });
}
