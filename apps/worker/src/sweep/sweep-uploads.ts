import {
  forgetUploads,
  takeUploadsToRemove,
  type UploadCursor,
} from "@atelier/generations/uploads";
import type { FailedDeletion } from "@atelier/storage";
import type { SweepDependencies } from "./sweep-dependencies.ts";
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
  let after: UploadCursor | null = null;
  do {
    const page = await takeUploadsToRemove(database, { after, limit: batch });
    const { uploads } = page;
    const failures = await storage.delete(uploads.flatMap(({ keys }) => keys));
    failed.push(...failures);
    const kept = new Set(failures.map(({ key }) => key));
    const deleted = uploads.filter(({ keys }) => !keys.some((key) => kept.has(key)));
    await forgetUploads(
      database,
      deleted.map(({ id }) => id),
    );
    removed += deleted.length;
    // Uploads that cannot be deleted stay, and the next sweep tries them again.
    after = page.next;
  } while (after !== null && (await proceed()));
  return { removed, failed };
}
