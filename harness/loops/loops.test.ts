import { glob, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { findUnsettledLoops } from "./find-loops.ts";

const root = new URL("../..", import.meta.url);

/** Code that works in the background on the files, jobs, accounts, batches and webhooks of all accounts. */
const background = [
  "apps/worker/src/{keeping,recovery,servers,sweep,webhooks}/**/*.ts",
  "apps/api/src/batches/{accept-lines,start-batches}.ts",
  "apps/cli/src/{audit,erase,registry}.ts",
  "apps/cli/src/backup/*.ts",
  "packages/{accounts,billing,events,generations,queue,storage}/src/**/*.ts",
];

/** Loops that one failure may end, by file and function, and why. */
const exceptions: Readonly<Record<string, string>> = {
  "apps/api/src/batches/accept-lines.ts acceptLines":
    "Lines are accepted in their order, and the turn is repeated.",
  "apps/cli/src/audit.ts repair": "A backfill that fails ends the command, which is repeated.",
  "apps/cli/src/backup/after-restore.ts restoreImages": "A restore has all images, or is repeated.",
  "apps/cli/src/backup/after-restore.ts restorePage": "A restore has all images, or is repeated.",
  "apps/cli/src/backup/backup.ts copyImages": "A backup has all files, or is not finished.",
  "apps/cli/src/backup/backup.ts copySecrets": "A backup has all files, or is not finished.",
  "apps/cli/src/backup/copy-data-folder.ts copyFolder":
    "A backup has all files, or is not finished.",
  "apps/cli/src/backup/copy-data-folder.ts copyLog": "A backup has all files, or is not finished.",
  "apps/cli/src/backup/manifest.ts copyHashed": "Reads the parts of one file.",
  "apps/cli/src/backup/manifest.ts verifyFiles": "One damaged file refuses the backup.",
  "apps/cli/src/backup/restore.ts moveUp": "A restore has all files, or is repeated.",
  "apps/cli/src/backup/restore.ts restoreHome":
    "Leftovers are removed, or the restore is repeated.",
  "apps/cli/src/backup/restore.ts place": "A restore has all files, or is repeated.",
  "apps/cli/src/backup/restore.ts placeData": "A restore has all files, or is repeated.",
  "apps/worker/src/keeping/keep-files.ts copyFiles": "copyFile returns its failure.",
  "apps/worker/src/recovery/enforce-deadlines.ts enforceDeadlines": "failOverdue logs its failure.",
  "apps/worker/src/recovery/start-recovery.ts stop": "Stops loops when the worker ends.",
  "apps/worker/src/servers/server-pool.ts resolve":
    "urlsOf reports its failure; opening a server connects to nothing.",
  "apps/worker/src/sweep/sweep-dossiers.ts sweepDossiers":
    "Takes pages; files that cannot be deleted are returned.",
  "apps/worker/src/sweep/sweep-orphans.ts sweepOrphans":
    "Takes pages; files that cannot be deleted are returned.",
  "packages/accounts/src/erase.ts beginErasure": "Tables of one transaction.",
  "packages/accounts/src/key-lifecycle.ts narrowDescendants": "Keys of one transaction.",
  "packages/accounts/src/members.ts applyMakersReadAll": "Keys of one transaction.",
  "packages/events/src/reseal-secrets.ts resealSecrets": "Two tables.",
  "packages/events/src/reseal-secrets.ts resealTable":
    "A secret that cannot be opened is counted; updates fail with the database.",
  "packages/generations/src/archive/archive-jobs.ts removeJobs":
    "The part stays open, and is repeated.",
  "packages/generations/src/archive/archived-account.ts readArchivedJobs":
    "An export has all jobs, or has no end.",
  "packages/generations/src/archive/archived-account.ts work":
    "A part that fails is reported; only a lost lease ends the work.",
  "packages/generations/src/archive/archived-tables.ts deleteJobRows": "Tables of one transaction.",
  "packages/generations/src/retention/backfills.ts runBackfillBatch": "Rows of one transaction.",
  "packages/generations/src/erase/erasure-records.ts copyErasures":
    "A restore has all records, or is repeated.",
  "packages/generations/src/erase/repeat-erasures.ts repeatErasures":
    "Suspending and recording fail with the database or the storage, and are repeated.",
  "packages/generations/src/jobs/together.ts runTogether": "Each is settled by itself.",
  "packages/queue/src/empty-queues.ts emptyNode":
    "A queue that is not empty is an error of the restore, which is repeated.",
  "packages/queue/src/empty-queues.ts emptyRedis":
    "A queue that is not empty is an error of the restore, which is repeated.",
  "packages/queue/src/queues.ts close": "Closes connections when the program ends.",
  "packages/queue/src/queues.ts createQueues":
    "A program without one of its queues does not start.",
  "packages/queue/src/queues.ts dispatch": "Recovery adds what the queue did not take.",
  "packages/queue/src/queues.ts pausedLanes": "A page of the console has the states of all lanes.",
  "packages/queue/src/unlogged.ts makeUnlogged": "A table that is locked is left to a later start.",
  "packages/storage/src/bucket-expiry.ts setExpiry": "Two forms of the same rules.",
};

describe("loops over files, jobs and accounts", () => {
  it("go on after an item that fails, except those that are listed with a reason", async () => {
    const found: string[] = [];
    for await (const file of glob(background, { cwd: root })) {
      if (/\.test\.ts$|\.contract\.ts$|\/testing\//.test(file)) continue;
      const loops = findUnsettledLoops(await readFile(new URL(file, root), "utf8"));
      found.push(...loops.map(({ name }) => `${file} ${name}`));
    }
    expect([...new Set(found)].sort()).toEqual(Object.keys(exceptions).sort());
  });
});

describe("the search for such loops", () => {
  const linesOf = (text: string) => findUnsettledLoops(text).map(({ line }) => line);

  it("finds what ended keeping, the end of overdue jobs and the cancellation of batches", () => {
    expect(
      findUnsettledLoops(`
        async function copyFiles(files) {
          await Promise.all(files.map(({ key }) => storage.copy(key)));
        }
        async function failAll(overdue) {
          for (const job of overdue) {
            if (await fail(job)) failed++;
          }
        }
        const cancelJobs = async (ids) => {
          for (const id of ids) {
            try { await cancel(id); } catch (error) { if (!isBeingMade(error)) throw error; }
          }
        };`),
    ).toEqual([
      { name: "copyFiles", line: 3 },
      { name: "failAll", line: 6 },
      { name: "cancelJobs", line: 11 },
    ]);
  });

  it("leaves out loops that settle each item", () => {
    expect(
      linesOf(`
        await settleEach(files, async (file) => { await copy(file); });
        await Promise.allSettled(files.map(copy));
        await Promise.all(files.map((file) => copy(file).catch(report)));
        for (const file of files) await copy(file).catch(report);
        for (const file of files) {
          try { await copy(file); } catch (error) { report(error); }
        }
        for (const file of files) names.push(file.name);`),
    ).toEqual([]);
  });
});
