import { forgetDossiers } from "@atelier/generations/retention";
import { dossierPrefix, renderIdOf } from "@atelier/schemas";
import type { FailedDeletion } from "@atelier/storage";
import { timeOfId } from "./time-of-id.ts";
import type { SweepDependencies } from "./sweep-dependencies.ts";
import type { Swept } from "./swept.ts";

const batch = 200;

/**
 * Deletes dossiers past their retention. Render ids start with their creation time, and keys are listed
 * in their order: the list is read up to the first dossier that is kept. Those of renders that this
 * database does not know are kept, since a bucket may be shared.
 *
 * @param retentionMs from the acceptance of the job.
 * @param proceed called after each batch; false ends the sweep.
 */
export async function sweepDossiers(
  retentionMs: number,
  { database, storage, now }: Pick<SweepDependencies, "database" | "storage" | "now">,
  proceed: () => Promise<boolean>,
): Promise<Swept> {
  const before = now() - retentionMs;
  let removed = 0;
  const failed: FailedDeletion[] = [];
  let listed: string[] = [];

  async function removeListed(): Promise<void> {
    if (listed.length === 0) return;
    const known = await forgetDossiers(database, [...new Set(listed.map(renderIdOf))]);
    const expired = listed.filter((key) => known.has(renderIdOf(key)));
    const failures = await storage.delete(expired);
    failed.push(...failures);
    removed += expired.length - failures.length;
    listed = [];
  }

  for await (const { key } of storage.list(dossierPrefix)) {
    const madeAt = timeOfId(renderIdOf(key));
    if (madeAt === null) continue;
    if (madeAt >= before) break;
    listed.push(key);
    if (listed.length < batch) continue;
    await removeListed();
    if (!(await proceed())) return { removed, failed };
  }
  await removeListed();
  return { removed, failed };
}
