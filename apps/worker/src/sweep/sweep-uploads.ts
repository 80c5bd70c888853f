import { forgetUploads, takeUploadsToRemove } from "@atelier/generations";
import type { FailedDeletion } from "@atelier/storage";
import type { SweepDependencies } from "./start-sweep.ts";
import type { Swept } from "./swept.ts";

const batch = 200;

/**
 * Removes uploads whose time is over, and what is left of those that were never received completely.
 * The file goes before its row, so that a sweep that dies in between is repeated.
 *
 * @param proceed called after each batch; false ends the sweep.
 */
export async function sweepUploads(
  { database, storage }: Pick<SweepDependencies, "database" | "storage">,
  proceed: () => Promise<boolean>,
): Promise<Swept> {
  let removed = 0;
  const failed: FailedDeletion[] = [];
  for (;;) {
    const uploads = await takeUploadsToRemove(database, { limit: batch });
    const failures = await storage.delete(uploads.flatMap(({ keys }) => keys));
    failed.push(...failures);
    const kept = new Set(failures.map(({ key }) => key));
    const deleted = uploads.filter(({ keys }) => !keys.some((key) => kept.has(key)));
    await forgetUploads(
      database,
      deleted.map(({ id }) => id),
    );
    removed += deleted.length;
    if (uploads.length < batch || failures.length > 0 || !(await proceed())) {
      return { removed, failed };
    }
  }
}
