import { readFile, writeFile } from "node:fs/promises";
import { fork } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createKey } from "@atelier/accounts";
import { topUp } from "@atelier/billing";
import { processTuning } from "@atelier/process";
import { parseEur } from "@atelier/schemas";
import { fillHistory, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { startServices } from "../shared/start-services.ts";
import { percentile } from "../shared/statistics.ts";
import { attackVerification } from "./attack-verification.ts";
import { attackWithBatch, attackWithFastBatch } from "./attack-with-batch.ts";
import { attackWithDiagrams } from "./attack-with-diagrams.ts";
import { attackWithLargestInputs } from "./attack-with-largest-inputs.ts";
import { attackWithReferences } from "./attack-with-references.ts";
import { attackWithSvg } from "./attack-with-svg.ts";
import { attackWithUploads } from "./attack-with-uploads.ts";
import { attackWorker, type WorkerResult } from "./attack-worker.ts";
import { compareTexts } from "./compare-texts.ts";
import type { Orders, Outcome } from "./attacker.ts";
import { createAttacks, inlineImages } from "./attacks.ts";
import { measureImages } from "./measure-images.ts";

/**
 * Attacks an API with every kind of expensive request while a neighbour reads its account, and a worker
 * with expensive reference images, uploads, SVG of a provider and diagrams, and with the largest edits
 * and combinations, while a neighbour makes images; and the public verification from one address. Fails
 * when the neighbour waits too long, or when the process uses too much memory or CPU or blocks its event
 * loop too long, twice in a row: an attack beyond the bounds is measured again, because a shared machine
 * pauses processes. The attacker has keys without a rate limit, as if it had many keys and addresses,
 * because rate-limited requests are cheap.
 *
 * With `--part images`, it sends 16 requests with images at once, of one key and of eight, and measures the
 * memory of the API and its event loop (`measure-images.ts`).
 *
 * With `--part texts`, it compares the most expensive texts with ordinary ones at the full rate of one key,
 * which needs a machine without other load (`compare-texts.ts`).
 *
 * npm run test:cost -- [--part api|texts|images|worker|verification] [--seed 1] [--seconds 3] [--connections 10000]
 *   [--rounds 3] [--only "a word|another"] [--json]
 */
const { values } = parseArgs({
  options: {
    part: { type: "string" },
    seed: { type: "string", default: "1" },
    seconds: { type: "string", default: "3" },
    connections: { type: "string", default: "10000" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    json: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const seconds = Number(values.seconds);
const connections = Number(values.connections);

const parts = {
  api: runOnApi,
  texts: runTexts,
  images: runImages,
  worker: runOnWorker,
  verification: runOnVerification,
};
// Ratios of times need a machine without other load, which a full check does not have.
const usual = Object.keys(parts).filter((name) => name !== "texts" && name !== "images");
const wanted = Object.entries(parts).filter(([name]) =>
  (values.part === undefined ? usual : [values.part]).includes(name),
);
if (wanted.length === 0) throw new Error(`--part is one of ${Object.keys(parts).join(", ")}`);

/** Whether the name of an attack has one of the words to select. */
const isSelected = (name: string) => values.only.split("|").some((word) => name.includes(word));

/** Limits for the effect of an attack on others. */
const bounds = {
  /**
   * The neighbour's p95 relative to its p95 on an idle service, which counts as at least
   * `shortestMs`.
   */
  ratio: 15,
  /** The same for bodies that are refused by their structure, before they are parsed. */
  structureRatio: 10,
  /** The same for attacks that are mostly accepted, because accepted requests do real work. */
  acceptedRatio: 25,
  shortestMs: 10,
  p95Ms: 300,
  /** CPU time of the API per request of the attack, including the neighbour's requests. */
  cpuMs: 60,
  /**
   * The longest block of the event loop, relative to the longest one while idle, and its minimum.
   */
  blockedRatio: 10,
  blockedMs: 500,
  /** The minimum for many connections, which all close in one turn of the event loop. */
  manyConnectionsBlockedMs: 2_000,
  /** The API's peak resident memory; `deploy/kubernetes` limits its container to 1,536 MiB. */
  peakMb: 1_280,
} as const;

/** Attacks on a worker. */
const workerAttacks = [
  { name: "reference images", create: attackWithReferences },
  { name: "large uploads", create: attackWithUploads },
  { name: "SVG of a provider", create: attackWithSvg },
  { name: "batches", create: attackWithBatch },
  { name: "batches of a fast provider", create: attackWithFastBatch },
  { name: "slow diagrams", create: attackWithDiagrams },
  { name: "largest edits, combinations and diagrams", create: attackWithLargestInputs },
] as const;

/** Attacks whose bodies exceed a limit of the structure. */
const structures: readonly string[] = [
  "flat array of 980 kB",
  "150,000 reference entries",
  "400,000 nested arrays",
  "60,000 keys",
];

interface Measurement {
  readonly p95Ms: number;
  readonly answers: number;
  readonly blockedMs: number;
  /** CPU time of all threads of the API. */
  readonly cpuMs: number;
  readonly peakMb: number;
}

interface Result extends Measurement {
  readonly name: string;
  readonly outcome: Outcome;
  readonly violations: readonly string[];
}

const services = await startServices("cost");
const { directory } = services;
const stack = await startStack({
  postgresUrl: services.postgresUrl,
  processes: true,
  workers: 0,
  environment: {
    ...processTuning,
    GENERATIONS_PER_MINUTE: "100000000",
    OTHER_REQUESTS_PER_MINUTE: "100000000",
    FAILED_AUTHENTICATIONS_PER_MINUTE: "100000000",
    VERIFICATIONS_PER_MINUTE: "100000000",
    MAX_WAIT_SECONDS: "0.01",
    FACADE_MAX_WAIT_SECONDS: "0.01",
    LOG_LEVEL: "error",
  },
});
try {
  for (const [, run] of wanted) if (!(await run())) process.exitCode = 1;
} finally {
  await stack.stop();
  await services.stop();
}

/** Attacks the API; returns whether every attack stayed within its limits. */
async function runOnApi(): Promise<boolean> {
  const neighbour = await stack.createAccount();
  const attackers = await createAttackers(stack);
  const keys = attackers.map(({ key }) => key);
  const jobs = await makeJobs(stack, attackers);
  // Warm-up: compiled code and filled caches.
  await measure(stack, neighbour, () => delay(2_000));
  const idle = await measure(stack, neighbour, () => delay(5_000));
  progress(
    `idle: p95 ${idle.p95Ms.toFixed(1)} ms, blocked ${idle.blockedMs.toFixed(0)} ms, ${idle.peakMb.toFixed(0)} MB`,
  );

  const results: Result[] = [];
  for (const [attack, { name }] of createAttacks(seed, connections).entries()) {
    if (!isSelected(name)) continue;
    const orders = { url: stack.url, keys, jobs, seed, attack, connections, seconds };
    const result = await confirm(
      async (): Promise<Result> => {
        let outcome: Outcome = {};
        const measured = await measure(stack, neighbour, async () => {
          outcome = await strike(orders);
        });
        // Keeps the effects of one attack from counting for the next.
        await delay(500);
        return {
          name,
          ...measured,
          outcome,
          violations: violationsOf(name, measured, outcome, idle),
        };
      },
      (one) => progress(describe(one, idle)),
    );
    results.push(result);
  }
  if (values.json) process.stdout.write(`${JSON.stringify({ seed, idle, results })}\n`);
  const violated = results.filter(({ violations }) => violations.length > 0);
  progress(`${results.length} attacks, ${violated.length} beyond the bounds`);
  return violated.length === 0;
}

/**
 * Measures an attack, and once more when it was beyond the bounds: a shared machine pauses processes.
 *
 * @param report called with each measurement.
 * @returns the last measurement, which counts.
 */
async function confirm<Measured extends Pick<Result, "violations">>(
  attack: () => Promise<Measured>,
  report: (result: Measured) => void,
): Promise<Measured> {
  const first = await attack();
  report(first);
  if (first.violations.length === 0) return first;
  const second = await attack();
  report(second);
  return second;
}

/** Creates accounts with 2,000 earlier jobs each. */
async function createAttackers({ database, environment }: Stack): Promise<TestAccount[]> {
  const accountIds = await fillHistory(database, { accounts: 4, generations: 8_000 });
  return Promise.all(
    accountIds.map(async (accountId) => {
      await topUp(database, { accountId, amountMicroEur: parseEur("100") });
      const pepper = environment["KEY_PEPPER"] ?? "";
      const { id, key } = await createKey(database, { accountId, name: "attacker", pepper });
      return { accountId, keyId: id, key };
    }),
  );
}

/** Makes two jobs of ten images for each account, and returns the ids of the first ones. */
async function makeJobs(service: Stack, accounts: readonly TestAccount[]): Promise<string[]> {
  const worker = await service.startWorker();
  const body = { model: "fake-blind", prompt: "a lighthouse", n: 10 };
  const make = (requested: object, headers: Readonly<Record<string, string>>) =>
    Promise.all(accounts.map((account) => makeJob(account, requested, headers)));
  const ids = await make(body, {});
  await make(inlineImages.body, inlineImages.headers);
  service.workers.splice(service.workers.indexOf(worker), 1);
  await worker.stop();
  return ids;

  async function makeJob(
    account: TestAccount,
    requested: object,
    headers: Readonly<Record<string, string>>,
  ): Promise<string> {
    const response = await service.request(
      account,
      "POST",
      "/v1/generate/image",
      requested,
      headers,
    );
    const id = response.headers.get("X-Service-Job-Id");
    if (id === null) throw new Error(`a job was answered ${response.status}`);
    for (let status = "pending"; status !== "completed"; await delay(100)) {
      const job = await service.request(account, "GET", `/v1/jobs/${id}`);
      ({ status } = (await job.json()) as { readonly status: string });
      if (status === "failed") throw new Error("a job for archives failed");
    }
    return id;
  }
}

/** Attacks workers; returns whether every attack stayed within its limits. */
async function runOnWorker(): Promise<boolean> {
  let isWithinLimits = true;
  for (const { name, create } of workerAttacks) {
    if (!isSelected(name)) continue;
    const attack = await create();
    try {
      const result = await confirm(
        () => attackWorker(services.postgresUrl, attack),
        (one) => progress(describeOnWorker(name, one)),
      );
      if (values.json) process.stdout.write(`${JSON.stringify({ name, ...result })}\n`);
      isWithinLimits &&= result.violations.length === 0;
    } finally {
      await attack.close();
    }
  }
  return isWithinLimits;
}

/** Attacks the public verification; returns whether it stayed within its limits. */
async function runOnVerification(): Promise<boolean> {
  const name = "public verification by one address";
  if (!isSelected(name)) return true;
  const result = await confirm(
    () => attackVerification(services.postgresUrl),
    ({ idleP95Ms, p95Ms, outcome, violations }) => {
      const failed = violations.length === 0 ? "" : `  BEYOND: ${violations.join(", ")}`;
      progress(
        `${name}: of the neighbour p95 ${p95Ms.toFixed(0)} ms (idle ${idleP95Ms.toFixed(0)} ms) ${JSON.stringify(outcome)}${failed}`,
      );
    },
  );
  if (values.json) process.stdout.write(`${JSON.stringify({ name, ...result })}\n`);
  return result.violations.length === 0;
}

/** Sends requests with images at once; returns whether each measurement stayed within its limits. */
async function runImages(): Promise<boolean> {
  const results = await measureImages(services.postgresUrl, directory);
  for (const { keys, memoryMb, idleMb, ownStallMs, stallMs, cpuMs, ...rest } of results) {
    const failed = rest.violations.length === 0 ? "" : `  BEYOND: ${rest.violations.join(", ")}`;
    progress(
      `16 images of 5 MB at once, keys: ${keys}: +${memoryMb.toFixed(0)} MB (idle ${idleMb.toFixed(0)} MB), stall of code ${ownStallMs.toFixed(1)} ms (late ${stallMs.toFixed(1)} ms), CPU ${cpuMs.toFixed(0)} ms ${JSON.stringify(rest.answers)}${failed}`,
    );
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`);
  return results.every(({ violations }) => violations.length === 0);
}

/** Compares expensive texts with ordinary ones; returns whether each stayed within its limits. */
async function runTexts(): Promise<boolean> {
  const comparisons = await compareTexts(services.postgresUrl, {
    directory,
    seconds,
    rounds: Number(values.rounds),
    isSelected,
    report: progress,
  });
  const violated = comparisons.filter(({ violations }) => violations.length > 0);
  const dearest = comparisons.toSorted((a, b) => b.loopMs - a.loopMs).slice(0, 10);
  progress("The ten that cost the event loop most, in ms of CPU time of a request:");
  for (const { name, loopMs, cpuMs } of dearest) {
    progress(`  ${loopMs.toFixed(2)} (all threads ${cpuMs.toFixed(1)}) ${name}`);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(comparisons)}\n`);
  progress(`${comparisons.length} texts, ${violated.length} beyond the bounds`);
  return violated.length === 0;
}

function describeOnWorker(name: string, result: WorkerResult): string {
  const { idleP95Ms, p95Ms, peakMb, outcome, violations } = result;
  const failed = violations.length === 0 ? "" : `  BEYOND: ${violations.join(", ")}`;
  return `${name}: image of the neighbour p95 ${p95Ms.toFixed(0)} ms (idle ${idleP95Ms.toFixed(0)} ms), worker ${peakMb.toFixed(0)} MB ${JSON.stringify(outcome)}${failed}`;
}

/** Runs an attack in a separate process, so that it does not delay the neighbour's clock. */
async function strike(orders: Orders): Promise<Outcome> {
  const script = fileURLToPath(new URL("./attacker.ts", import.meta.url));
  const attacker = fork(script, [JSON.stringify(orders)], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  return new Promise((resolve, reject) => {
    attacker.once("message", resolve);
    attacker.once("error", reject);
    attacker.once("exit", (code) => reject(new Error(`the attacker ended with ${code}`)));
  });
}

/**
 * Reads the neighbour's account continuously, and reads the process statistics before and after.
 */
async function measure(
  service: Stack,
  neighbour: TestAccount,
  work: () => Promise<void>,
): Promise<Measurement> {
  const { pid } = service.api;
  await forgetPeak(pid);
  await readBlockedMs(service);
  const cpuBefore = await readCpuMs(pid);
  const tookMs: number[] = [];
  const over = new AbortController();
  const reading = (async () => {
    while (!over.signal.aborted) {
      const startedAt = performance.now();
      const response = await service.request(neighbour, "GET", "/v1/account");
      await response.text();
      if (response.status !== 200) throw new Error(`the neighbour was answered ${response.status}`);
      tookMs.push(performance.now() - startedAt);
      await delay(10);
    }
  })();
  await work();
  over.abort();
  await reading;
  return {
    p95Ms: percentile(tookMs, 0.95),
    answers: tookMs.length,
    cpuMs: (await readCpuMs(pid)) - cpuBefore,
    blockedMs: await readBlockedMs(service),
    peakMb: await readPeakMb(pid),
  };
}

/**
 * Returns the CPU time of the API per request of an attack; connections without a request count as
 * one.
 */
function cpuPerRequest({ cpuMs, answers }: Measurement, outcome: Outcome): number {
  return cpuMs / (answers + Object.values(outcome).reduce((sum, count) => sum + count, 0));
}

function ratioOf(name: string, outcome: Outcome): number {
  if (structures.includes(name)) return bounds.structureRatio;
  return isMostlyAccepted(outcome) ? bounds.acceptedRatio : bounds.ratio;
}

function violationsOf(
  name: string,
  measured: Measurement,
  outcome: Outcome,
  idle: Measurement,
): string[] {
  const { p95Ms, blockedMs, peakMb } = measured;
  const cpuMs = cpuPerRequest(measured, outcome);
  const leastMs = name.endsWith("silent connections")
    ? bounds.manyConnectionsBlockedMs
    : bounds.blockedMs;
  const longestMs = Math.max(leastMs, bounds.blockedRatio * idle.blockedMs);
  const ratio = ratioOf(name, outcome);
  const mostMs = Math.min(ratio * Math.max(idle.p95Ms, bounds.shortestMs), bounds.p95Ms);
  return [
    ...(p95Ms > mostMs ? [`p95 above ${mostMs.toFixed(0)} ms`] : []),
    ...(cpuMs > bounds.cpuMs ? [`${cpuMs.toFixed(0)} ms of CPU per request`] : []),
    ...(blockedMs > longestMs ? [`event loop blocked for ${blockedMs.toFixed(0)} ms`] : []),
    ...(peakMb > bounds.peakMb ? [`more than ${bounds.peakMb} MB`] : []),
  ];
}

/** Returns whether most requests of an attack were accepted as jobs. */
function isMostlyAccepted(outcome: Outcome): boolean {
  const all = Object.values(outcome).reduce((sum, count) => sum + count, 0);
  return (outcome["202"] ?? 0) > all / 2;
}

/** Returns the longest block of the event loop since the last call. */
async function readBlockedMs({ adminUrl, adminKey }: Stack): Promise<number> {
  const response = await fetch(`${adminUrl}/metrics`, {
    headers: { Authorization: `Bearer ${adminKey}` },
  });
  const [, value] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await response.text()) ?? [];
  return Number(value) * 1_000;
}

/** Resets the kernel's record of the peak resident memory: `proc_pid_clear_refs(5)`. */
async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5");
}

/** Reads user and system time, in ticks of 10 ms: fields 14 and 15 of `/proc/<pid>/stat`. */
async function readCpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function readPeakMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kilobytes) / 1_024;
}

function describe(result: Result, idle: Measurement): string {
  const { name, p95Ms, blockedMs, peakMb, outcome, violations } = result;
  const cpuMs = cpuPerRequest(result, outcome);
  const ratio = p95Ms / Math.max(idle.p95Ms, bounds.shortestMs);
  const figures = `p95 ${p95Ms.toFixed(1)} ms (${ratio.toFixed(1)} x idle), ${cpuMs.toFixed(1)} ms of CPU per request, blocked ${blockedMs.toFixed(0)} ms, ${peakMb.toFixed(0)} MB`;
  const failed = violations.length === 0 ? "" : `  BEYOND: ${violations.join(", ")}`;
  return `${name}: ${figures} ${JSON.stringify(outcome)}${failed}`;
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
