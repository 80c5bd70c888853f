import { setTimeout as delay } from "node:timers/promises";
import { createDatabase, type Database } from "@atelier/database";
import type { Load } from "./load.ts";
import { workerName, type Site } from "./site.ts";

/** Jobs that are finished at about the same time: more than workers. The slow receiver gets all their events. */
const jobs = 10;
const pollMs = 20;
/** Time for further finishes to wait for the one that is blocked. Shorter than the lock timeout. */
const gatherMs = 700;
const patienceMs = 20_000;

/** A lock of an account, which finishes and accepts wait for. */
interface AccountLock {
  /** Settles when the lock is held. */
  readonly held: Promise<void>;
  /** Settles when the lock is free. */
  release(): Promise<void>;
}

/** A transaction of a worker that finishes several renders, and waits for the lock of their account. */
interface WaitingGroup {
  readonly pid: number;
  readonly worker: number;
}

/**
 * Kills a worker while one transaction finishes several of its renders. The account is locked, so that a
 * finish blocks and others gather behind it; the lock is then passed on until a group waits for it.
 *
 * @param isCommitted whether Postgres commits the group, and the worker dies before it reads the response;
 *   otherwise the group is rolled back.
 * @throws Error when no group was found.
 */
export async function killInGroup(site: Site, load: Load, isCommitted: boolean): Promise<void> {
  const database = createDatabase({
    url: site.operatorEnvironment["DATABASE_URL"] ?? "",
    poolSize: 3,
    applicationName: lockerName,
    onConnectionError: () => undefined,
  });
  const accountId = load.burst(jobs);
  let lock: AccountLock | null = null;
  try {
    await untilAccepted(database, accountId);
    lock = lockAccount(database, accountId);
    await lock.held;
    let group: WaitingGroup | null = null;
    for (const endsAt = performance.now() + patienceMs; group === null;) {
      if (performance.now() > endsAt) throw new Error("no group of finishes came to a worker");
      await delay(gatherMs);
      group = await findGroup(database, accountId, site.workers.length);
      if (group === null) lock = await passOn(database, accountId, lock);
    }
    const worker = site.workers[group.worker];
    const replaced = worker?.replaced();
    worker?.signal("SIGSTOP");
    if (isCommitted) {
      await lock.release();
      await untilEnded(database, group);
    } else await database.query("SELECT pg_terminate_backend($1)", [group.pid]);
    worker?.signal("SIGKILL");
    await lock.release();
    await replaced;
  } finally {
    await lock?.release();
    await database.close();
  }
}

const lockerName = "atelier-chaos";

function lockAccount(database: Database, accountId: string): AccountLock {
  const locked = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const ended = database.transaction(async (sql) => {
    await sql.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [accountId]);
    locked.resolve();
    await free.promise;
  });
  ended.catch((error: unknown) => locked.reject(error));
  locked.promise.catch(() => undefined);
  return {
    held: locked.promise,
    release() {
      free.resolve();
      return ended.catch(() => undefined);
    },
  };
}

/** Lets those that wait for the lock have it, and takes it again before any that come later. */
async function passOn(
  database: Database,
  accountId: string,
  held: AccountLock,
): Promise<AccountLock> {
  const next = lockAccount(database, accountId);
  try {
    await until("the next lock waits", async () => {
      const waiting = await database.query(
        `SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`,
        [lockerName],
      );
      return waiting.length > 0;
    });
    await held.release();
    await next.held;
    return next;
  } catch (error) {
    await Promise.all([held.release(), next.release()]);
    throw error;
  }
}

/** A group is a transaction that has locked several generations, whose rows have its id. */
async function findGroup(
  database: Database,
  accountId: string,
  workers: number,
): Promise<WaitingGroup | null> {
  const names = Array.from({ length: workers }, (_, worker) => workerName(worker));
  const [found] = await database.query<{ pid: number; name: string }>(
    `SELECT pid, application_name AS name FROM pg_stat_activity
      WHERE application_name = ANY ($1) AND wait_event_type = 'Lock'
        AND (SELECT count(*) > 1 FROM generation
              WHERE account_id = $2 AND status IN ('pending', 'processing') AND generation.xmax = backend_xid)
      LIMIT 1`,
    [names, accountId],
  );
  return found === undefined ? null : { pid: found.pid, worker: names.indexOf(found.name) };
}

function untilAccepted(database: Database, accountId: string): Promise<void> {
  return until("jobs are accepted", async () => {
    const [row] = await database.query<{ unfinished: number }>(
      `SELECT count(*)::int AS unfinished FROM generation
        WHERE account_id = $1 AND status IN ('pending', 'processing')`,
      [accountId],
    );
    return (row?.unfinished ?? 0) >= jobs / 2;
  });
}

function untilEnded(database: Database, { pid }: WaitingGroup): Promise<void> {
  return until("the group is committed", async () => {
    const open = await database.query(
      "SELECT FROM pg_stat_activity WHERE pid = $1 AND xact_start IS NOT NULL",
      [pid],
    );
    return open.length === 0;
  });
}

/** @throws Error when it does not hold in time. */
async function until(state: string, holds: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + patienceMs / 4;
  while (!(await holds())) {
    if (performance.now() > endsAt) throw new Error(`timeout: ${state}`);
    await delay(pollMs);
  }
}
