import { rm } from "node:fs/promises";
import { homeFiles, type LocalInstallation } from "@atelier/configuration";
import { writePrivateJson } from "./private-file.ts";

/**
 * Writes `local.json`, through which operator commands find this installation while it runs.
 *
 * @returns a function that removes it.
 */
export async function announceInstallation(
  home: string,
  installation: LocalInstallation,
): Promise<() => Promise<void>> {
  const path = homeFiles(home).localInstallation;
  await writePrivateJson(path, installation);
  return () => rm(path, { force: true });
}
