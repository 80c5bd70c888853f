import { describeRenderFiles, type RenderFiles } from "@atelier/generations";
import { filePrefixes, renderIdOf } from "@atelier/schemas";
import type { SweepDependencies } from "./start-sweep.ts";

const batch = 200;

/**
 * Removes files that no row points to: what a worker uploaded and did not come to record, and what was
 * staged for a render that has ended. Files are judged by what the rows say of their render: nothing
 * of a generation under way is touched, nor anything of a render that this database does not know,
 * since a bucket may be shared.
 *
 * Render ids begin with the time that they were made (UUIDv7), and files are listed in the order of
 * their keys: the list is read up to the first render that is too young to matter.
 *
 * @param olderThanMs younger files stay: one may have been stored a moment ago, and its row not yet.
 * @param proceed called after each batch; false ends the sweep.
 * @returns how many files were removed.
 */
export async function sweepOrphans(
  kind: keyof typeof filePrefixes,
  olderThanMs: number,
  { database, storage, now }: Pick<SweepDependencies, "database" | "storage" | "now">,
  proceed: () => Promise<boolean>,
): Promise<number> {
  const before = now() - olderThanMs;
  let removed = 0;
  let listed: { readonly key: string; readonly renderId: string }[] = [];

  async function removeListed(): Promise<void> {
    const renderIds = [...new Set(listed.map(({ renderId }) => renderId))];
    const known = new Map(
      (await describeRenderFiles(database, renderIds)).map((files) => [files.renderId, files]),
    );
    const orphans = listed.filter(({ key, renderId }) => isOrphan(key, known.get(renderId)));
    await storage.delete(orphans.map(({ key }) => key));
    removed += orphans.length;
    listed = [];
  }

  for await (const { key, modifiedAt } of storage.list(filePrefixes[kind])) {
    const renderId = renderIdOf(key);
    const madeAt = timeOf(renderId);
    if (madeAt === null) continue;
    if (madeAt >= before) break;
    if (modifiedAt.getTime() >= before) continue;
    listed.push({ key, renderId });
    if (listed.length < batch) continue;
    await removeListed();
    if (!(await proceed())) return removed;
  }
  await removeListed();
  return removed;
}

function isOrphan(key: string, files: RenderFiles | undefined): boolean {
  return files !== undefined && !files.underWay && !files.storageKeys.includes(key);
}

/** When a UUIDv7 was made (RFC 9562, section 5.7), in milliseconds; null for anything else. */
function timeOf(id: string): number | null {
  const [, high, low] =
    /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.exec(id) ?? [];
  return high === undefined ? null : Number.parseInt(`${high}${low}`, 16);
}
