import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "@atelier/database";
import { run } from "../../apps/cli/src/run.ts";
import type { Site } from "./site.ts";

const pollMs = 5;

/** A restored database that is not as it was before. */
export class RestoreViolation extends Error {
  override readonly name = "RestoreViolation";
}

/**
 * Backs the database up under load, kills all programs while its files are copied, destroys it when the
 * backup has ended, restores it, and starts the programs again. A backup contains every transaction that
 * was committed before its end, so that no job, event or charge may be lost, although the programs worked
 * during the first part of the copy. The storage is an external one, which is not part of the backup.
 *
 * No other fault may occur meanwhile.
 *
 * @throws RestoreViolation when a command fails or its audit finds a violation, and the programs stay
 *   down; Error when the backup ended before the programs were killed, and nothing was restored.
 */
export async function restoreDatabase(site: Site): Promise<void> {
  const { proxies, operatorEnvironment } = site;
  const programs = [site.api, ...site.workers];
  const parent = await mkdtemp(join(site.backupsFolder, "backup-"));
  const folder = join(parent, "files");
  const backingUp = atelier(operatorEnvironment, "backup", folder);
  const ended = new AbortController();
  void backingUp.finally(() => ended.abort()).catch(() => undefined);
  while (!existsSync(join(folder, "postgres/base")) && !ended.signal.aborted) await delay(pollMs);
  // The clients of this process write nothing from here on either.
  proxies.get("Postgres")?.setFault("refused");
  const releases = await Promise.all(programs.map((program) => program.keepDown()));
  const isTooLate = !(await isCopyingFiles(site.direct));
  await backingUp;
  if (!isTooLate) {
    await site.replacePostgresData((dataFolder) =>
      atelier(operatorEnvironment, "restore", folder, "--postgres-data", dataFolder),
    );
    await atelier(operatorEnvironment, "after-restore", folder);
  }
  await rm(parent, { recursive: true });
  proxies.get("Postgres")?.setFault(null);
  const replaced = Promise.all(programs.map((program) => program.replaced()));
  for (const release of releases) release();
  await replaced;
  if (isTooLate) throw new Error("the backup ended before the programs were killed");
}

/** Whether the backup has not begun to end: the start is then the last statement of its session. */
async function isCopyingFiles(sql: Sql): Promise<boolean> {
  const sessions = await sql.query(
    `SELECT FROM pg_stat_activity
      WHERE application_name = 'atelier-backup' AND query LIKE '%pg_backup_start%'`,
  );
  return sessions.length > 0;
}

/**
 * Runs an operator command.
 *
 * @throws RestoreViolation with its output when it fails.
 */
async function atelier(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<void> {
  let output = "";
  const write = (text: string) => (output += text);
  const exitCode = await run(args, {
    environment: { PATH: process.env["PATH"], ...environment },
    stdout: { write },
    stderr: { write },
    onInterruption: () => new AbortController().signal,
  });
  if (exitCode !== 0) throw new RestoreViolation(`${args[0]} failed: ${output}`);
}
