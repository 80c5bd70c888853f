import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createStorage } from "@atelier/storage";
import { judge } from "./judge.ts";
import { startLoad } from "./load.ts";
import { report, type Recovery } from "./report.ts";
import { scheduleFaults } from "./schedule.ts";
import { startSite, type Site } from "./site.ts";
import { strike } from "./strike.ts";

/**
 * Kills, freezes and restarts the running service and what it needs, under load, cuts and slows their
 * connections, and then holds everything that is written to what must always be true. The same seed
 * gives the same faults.
 *
 *   npm run test:chaos -- --seed N --minutes M [--queue redis|postgres] [--storage files|s3] [--json]
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "3" },
    queue: { type: "string", default: "redis" },
    storage: { type: "string", default: "s3" },
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
const site = await startSite({
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
  await rm(directory, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

/** @returns whether anything was violated. */
async function run({ stack, proxies }: Site): Promise<boolean> {
  const account = () => stack.createAccount("1000");
  const accounts = await Promise.all([account(), account(), account()]);
  const load = startLoad({ stack, accounts, seed, perSecond, patienceMs });
  const schedule = scheduleFaults({ seed, forMs, workers, services: [...proxies.keys()] });

  const startedAt = performance.now();
  const recoveries: Recovery[] = [];
  const under = new Map<string, Promise<boolean>>();
  const faults = Promise.all(
    schedule.map(async ({ atMs, fault }, index) => {
      await until(startedAt + atMs);
      // A server that is being started again cannot be stopped.
      const subject = fault.kind.split(" ")[0] ?? "";
      const before = under.get(subject);
      const striking = (async () => {
        await before;
        try {
          await strike(fault, site);
          return true;
        } catch (error) {
          // Such as emptying a queue whose server is away just then.
          progress(`${fault.kind} did not strike: ${String(error)}`);
          return false;
        }
      })();
      under.set(subject, striking);
      const struck = await striking;
      progress(`${index + 1} of ${schedule.length}: ${fault.kind}`);
      if (struck) recoveries.push({ kind: fault.kind, tookMs: await load.probe() });
    }),
  );
  await until(startedAt + forMs);
  load.close();
  await faults;
  progress("no more faults; what was accepted has to end");
  await load.settle();

  const storage = await createStorage({
    url: stack.environment["STORAGE_URL"] ?? "",
    publicUrl: stack.url,
    signingSecret: "nothing is signed with this, long as it has to be",
  });
  const verdict = await judge(stack.database, storage, stack.provider.calls, load.diary);
  await storage.close();
  report(
    {
      seed,
      queue: values.queue,
      storage: values.storage,
      recoveries,
      notStruck: schedule.length - recoveries.length,
      diary: load.diary,
      verdict,
    },
    values.json,
  );
  return verdict.violations.length > 0;
}

/** @param moment on the clock of `performance`. */
async function until(moment: number): Promise<void> {
  await delay(Math.max(0, moment - performance.now()));
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
