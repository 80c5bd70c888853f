import { describeRenderFiles, type RenderFiles } from "@atelier/generations/retention";
import { filePrefixes, renderIdOf } from "@atelier/schemas";
import type { FailedDeletion } from "@atelier/storage";
import type { SweepDependencies } from "./sweep-dependencies.ts";
import { timeOfId } from "./time-of-id.ts";
import type { Swept } from "./swept.ts";

const batch = 200;

/**
 * Deletes files that no row points to: uploads that a worker did not record, and staged bytes of
 * renders that have ended. Files of unfinished generations are kept, and so are files of renders that
 * this database does not know, since a bucket may be shared.
 *
 * Render ids start with their creation time (UUIDv7), and files are listed in the order of their
 * keys: the list is read up to the first render that is too recent.
 *
 * @param olderThanMs age in milliseconds; younger files are kept, since their rows may not exist yet.
 * @param proceed called after each batch; false ends the sweep.
 */
export async function sweepOrphans(
  kind: keyof typeof filePrefixes,
  olderThanMs: number,
  { database, storage, now }: Pick<SweepDependencies, "database" | "storage" | "now">,
  proceed: () => Promise<boolean>,
): Promise<Swept> {
  const before = now() - olderThanMs;
  let removed = 0;
  const failed: FailedDeletion[] = [];
  let listed: { readonly key: string; readonly renderId: string }[] = [];

  async function removeListed(): Promise<void> {
    const renderIds = [...new Set(listed.map(({ renderId }) => renderId))];
    const known = new Map(
      (await describeRenderFiles(database, renderIds)).map((files) => [files.renderId, files]),
    );
    const orphans = listed.filter(({ key, renderId }) => isOrphan(key, known.get(renderId)));
    const failures = await storage.delete(orphans.map(({ key }) => key));
    failed.push(...failures);
    removed += orphans.length - failures.length;
    listed = [];
  }

  for await (const { key, modifiedAt } of storage.list(filePrefixes[kind])) {
    const renderId = renderIdOf(key);
    const madeAt = timeOfId(renderId);
    if (madeAt === null) continue;
    if (madeAt >= before) break;
    if (modifiedAt.getTime() >= before) continue;
    listed.push({ key, renderId });
    if (listed.length < batch) continue;
    await removeListed();
    if (!(await proceed())) return { removed, failed };
  }
  await removeListed();
  return { removed, failed };
}

function isOrphan(key: string, files: RenderFiles | undefined): boolean {
  return files !== undefined && !files.isInProgress && !files.storageKeys.includes(key);
}
