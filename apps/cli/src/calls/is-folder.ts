import { stat } from "node:fs/promises";

/** Whether a path is an existing folder or has a trailing slash. */
export async function isFolder(path: string): Promise<boolean> {
  if (path.endsWith("/")) return true;
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}
