import { findExpiredImages, markImagesDeleted } from "@atelier/generations";
import type { SweepDependencies } from "./start-sweep.ts";

const batch = 200;

/**
 * Removes the files of images whose time is over, and then writes down that they are gone: whoever
 * dies in between leaves rows whose files the next one finds gone already, which is fine.
 *
 * @param proceed called after each batch; false ends the sweep.
 * @returns how many files were removed.
 */
export async function sweepExpired(
  retentionMs: number,
  { database, storage }: Pick<SweepDependencies, "database" | "storage">,
  proceed: () => Promise<boolean>,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const expired = await findExpiredImages(database, { retentionMs, limit: batch });
    if (expired.length === 0) return removed;
    await storage.delete(expired.map(({ storageKey }) => storageKey));
    await markImagesDeleted(database, expired);
    removed += expired.length;
    if (expired.length < batch || !(await proceed())) return removed;
  }
}
