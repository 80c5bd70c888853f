import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";

/** Does something that starts a download; returns the saved file. */
export async function download(
  page: Page,
  start: () => Promise<void>,
): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent("download"), start()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}
