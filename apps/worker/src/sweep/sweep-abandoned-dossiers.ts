import { markRendersSwept, readSettledRenders } from "@atelier/generations/claims";
import { forgetUndeleted, listUndeleted, rememberUndeleted } from "@atelier/generations/retention";
import { dossierKey, dossierKeys, dossiersPrefix } from "@atelier/schemas";
import type { FailedDeletion, Storage } from "@atelier/storage";
import type { SweepDependencies } from "./sweep-dependencies.ts";
import { emptySweep, type Swept } from "./swept.ts";

interface Limits {
  /** Time since the end of a render, in milliseconds: no attempt at it still stores files. */
  readonly settledAfterMs: number;
  /** Renders that are read at once. */
  readonly pageSize: number;
  /** Pages of one sweep. */
  readonly maxPages: number;
}

/**
 * Deletes dossiers of attempts that stored their files and never finished: all dossiers of failed and
 * cancelled renders, and of finished ones all but the registered dossier. Each render is looked at once,
 * after it has ended. A dossier that cannot be deleted is reported, and each sweep tries it again.
 *
 * If the process dies, the next sweep repeats the last page. A worker that was stopped for longer than
 * `settledAfterMs` deletes its dossier itself: its finish is stale.
 *
 * @param proceed called after each page; false ends the sweep.
 */
export async function sweepAbandonedDossiers(
  { settledAfterMs, pageSize, maxPages }: Limits,
  { database, storage }: Pick<SweepDependencies, "database" | "storage">,
  proceed: () => Promise<boolean>,
): Promise<Swept> {
  const repeated = await repeatDeletions(pageSize, { database, storage });
  let { removed } = repeated;
  const failed: FailedDeletion[] = [...repeated.failed];
  for (let page = 0; page < maxPages; page++) {
    const options = { settledAfterMs, limit: pageSize };
    const { renders, last, isFull } = await readSettledRenders(database, options);
    const keys: string[] = [];
    const unread: FailedDeletion[] = [];
    for (const { renderId, attempt, registered } of renders) {
      const kept = registered === null ? null : dossierKey({ renderId, attempt: registered });
      try {
        keys.push(...(await listOthers(storage, renderId, kept)));
      } catch (error) {
        // Repeated as if they could not be deleted, so that one folder does not stop the progress of all.
        const left = dossierKeys({ renderId, attempt }).filter((key) => key !== kept);
        unread.push(...left.map((key) => ({ key, reason: String(error) })));
      }
    }
    if (keys.length + unread.length > 0) {
      const undeleted = await storage.delete(keys);
      removed += keys.length - undeleted.length;
      const failures = [...undeleted, ...unread];
      failed.push(...failures);
      // Before the progress: if the process dies between both, the page is repeated.
      await rememberUndeleted(
        database,
        failures.map(({ key }) => key),
      );
    }
    if (last !== null) await markRendersSwept(database, last);
    if (!isFull || !(await proceed())) break;
  }
  return { removed, failed };
}

/** Tries dossiers again that an earlier sweep or an erasure could not delete. */
async function repeatDeletions(
  limit: number,
  { database, storage }: Pick<SweepDependencies, "database" | "storage">,
): Promise<Swept> {
  const dossiers = await listUndeleted(database, limit);
  if (dossiers.length === 0) return emptySweep;
  const failed = await storage.delete(dossiers.map(dossierKey));
  const left = new Set(failed.map(({ key }) => key));
  const deleted = dossiers.filter((dossier) => !left.has(dossierKey(dossier)));
  await forgetUndeleted(database, deleted);
  await rememberUndeleted(database, left);
  return { removed: deleted.length, failed };
}

async function listOthers(
  storage: Storage,
  renderId: string,
  kept: string | null,
): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(dossiersPrefix(renderId))) {
    if (key !== kept) keys.push(key);
  }
  return keys;
}
