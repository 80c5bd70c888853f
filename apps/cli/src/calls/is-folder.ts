import { stat } from "node:fs/promises";

/** Whether a path is a folder that exists, or is written as one, with a slash at its end. */
export async function isFolder(path: string): Promise<boolean> {
  if (path.endsWith("/")) return true;
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}
