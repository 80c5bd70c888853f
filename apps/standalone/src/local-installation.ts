import { rm } from "node:fs/promises";
import { homeFiles, type LocalInstallation } from "@atelier/configuration";
import { writePrivateJson } from "./private-file.ts";

/**
 * Tells the operator's commands how to reach this installation while it runs: `local.json`.
 *
 * @returns a function that takes it back.
 */
export async function announceInstallation(
  home: string,
  installation: LocalInstallation,
): Promise<() => Promise<void>> {
  const path = homeFiles(home).localInstallation;
  await writePrivateJson(path, installation);
  return () => rm(path, { force: true });
}
