import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createStorage } from "@atelier/storage";
import type { Stack } from "@atelier/testing";
import { startMembers } from "../shared/members.ts";
import { shareBudget } from "../shared/share-budget.ts";
import { addBacklog, untilDropped } from "./backlog.ts";
import { startBatches } from "./batches.ts";
import { createFaultOrder } from "./fault-order.ts";
import { judge } from "./judge.ts";
import { startLoad, type Load } from "./load.ts";
import { startObservers, startReceiver } from "./observers.ts";
import { startRevocations } from "./revocations.ts";
import { report, type Recovery } from "./report.ts";
import { RestoreViolation } from "./restore-database.ts";
import { scheduleFaults, type Fault } from "./schedule.ts";
import { startSite, type Site } from "./site.ts";
import { injectFault } from "./inject-fault.ts";

/**
 * Kills, freezes and restarts the running service and its dependencies under load, cuts and slows
 * their connections, with --restores restores the database from a backup, and then checks all stored data against the
 * invariants. The same seed gives the same faults.
 *
 * npm run test:chaos -- --seed N --minutes M [--queue redis|postgres] [--storage files|s3]
 *   [--restores] [--only "<kind of fault>"] [--json]
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "3" },
    queue: { type: "string", default: "redis" },
    storage: { type: "string", default: "s3" },
    restores: { type: "boolean", default: false },
    only: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const forMs = Number(values.minutes) * 60_000;
const workers = 3;
const perSecond = 1.5;
/** Longer than any deadline. */
const patienceMs = 180_000;

const directory = await mkdtemp(join(tmpdir(), "atelier-chaos-"));
await chmod(directory, 0o755);
const receiver = await startReceiver(seed);
const site = await startSite({
  receiverHost: receiver.host,
  directory,
  queue: values.queue === "postgres" ? "postgres" : "redis",
  storage: values.storage === "files" ? "files" : "s3",
  workers,
  seed,
});
let failed = true;
try {
  failed = await run(site);
} finally {
  await site.stop();
  await receiver.stop();
  await rm(directory, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

/** @returns whether there were violations. */
async function run(running: Site): Promise<boolean> {
  const { stack, proxies } = running;
  const account = () => stack.createAccount("1000");
  // A key in a shared budget can't act on members.
  const [withMembers, ...inBudgets] = [await account(), await account(), await account()];
  const accounts = [withMembers, ...inBudgets] as const;
  for (const { accountId } of inBudgets) await shareBudget(stack.database, accountId);
  const backlog = await addBacklog(stack, receiver.host);
  const observers = await startObservers(stack, receiver, accounts);
  const load = await startLoad({ stack, accounts, seed, perSecond, patienceMs });
  const batches = startBatches({ stack, accounts, seed, patienceMs });
  const revocations = startRevocations(stack);
  const members = startMembers({ url: stack.url, key: withMembers.key }, patienceMs);
  const schedule = scheduleFaults({
    seed,
    forMs,
    workers,
    services: [...proxies.keys()],
    withRestores: values.restores,
    only: values.only ?? null,
  });

  const startedAt = performance.now();
  const recoveries: Recovery[] = [];
  const order = createFaultOrder();
  const faults = Promise.all(
    schedule.map(async ({ atMs, fault }, index) => {
      await until(startedAt + atMs);
      const wasInjected = await order.run(fault, () => inject(fault, running, load));
      progress(`${index + 1} of ${schedule.length}: ${fault.kind}`);
      if (wasInjected) recoveries.push({ kind: fault.kind, tookMs: await load.probe() });
    }),
  );
  // A failed restore ends the run below, not as an unhandled rejection before the services are stopped.
  faults.catch(() => undefined);
  await until(startedAt + forMs);
  load.close();
  await faults;
  await revocations.stop();
  const wrongOfMembers = await members.stop(stack.database);
  progress("faults ended; waiting until all accepted jobs are final");
  await Promise.all([load.settle(), batches.settle()]);
  progress("waiting until all final jobs are reported");
  await observers.settle(stack.database, patienceMs);
  await observers.stop();
  progress("waiting until the sweep has removed all deleted uploads");
  await untilSwept(stack, patienceMs);
  progress("waiting until deliveries beyond the limit are dropped");
  await untilDropped(stack.database, backlog, patienceMs);

  const storage = await createStorage({
    url: stack.environment["STORAGE_URL"] ?? "",
    publicUrl: stack.url,
    signingSecret: "a placeholder, because nothing is signed here",
  });
  const verdict = await judge(
    stack.database,
    storage,
    {
      bill: stack.provider.calls,
      diary: load.diary,
      receipts: observers.receipts,
      uploads: load.uploads,
      batches: batches.records,
      revocations: revocations.done,
      members: { requests: members.requests(), wrong: wrongOfMembers },
      backlog,
    },
    stack.trustAnchorsPem,
  );
  await storage.close();
  report(
    {
      seed,
      queue: values.queue,
      storage: values.storage,
      recoveries,
      notInjected: schedule.length - recoveries.length,
      diary: load.diary,
      verdict,
    },
    values.json,
  );
  return verdict.violations.length > 0;
}

/**
 * @returns whether the fault had an effect.
 * @throws RestoreViolation
 */
async function inject(fault: Fault, target: Site, load: Load): Promise<boolean> {
  try {
    await injectFault(fault, target, load);
    return true;
  } catch (error) {
    if (error instanceof RestoreViolation) {
      progress(error.message);
      throw error;
    }
    // For example, a queue cannot be emptied while its server is unavailable.
    progress(`${fault.kind} could not be injected: ${String(error)}`);
    return false;
  }
}

/** Waits until no deleted upload is left, or the time is over. */
async function untilSwept({ database }: Stack, forAtMostMs: number): Promise<void> {
  const endsAt = performance.now() + forAtMostMs;
  while (performance.now() < endsAt) {
    const left = await database.query("SELECT FROM upload WHERE deleted_at IS NOT NULL LIMIT 1");
    if (left.length === 0) return;
    await delay(500);
  }
}

/** @param moment on the clock of `performance`. */
async function until(moment: number): Promise<void> {
  await delay(Math.max(0, moment - performance.now()));
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
