import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { processTuning } from "@atelier/process";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { median, percentile } from "../shared/statistics.ts";
import type { Shot } from "./attacks.ts";
import { createExpensiveTexts, type ExpensiveTexts, type Owned } from "./expensive-texts.ts";
import { readLoop, type LoopReport } from "./watch-loop.ts";

/**
 * Limits for a text at the full rate of one key. Ratios compare it with as many ordinary requests of the same
 * operation: with everyday texts of the nearest size, whose bytes are received and stored like its own.
 *
 * CPU time is that of the thread of the event loop, which all accounts share. The rules of moderation run in
 * another thread, for one request of an account at a time; their time follows the number of words, of which
 * 32,000 characters can have five times as many as everyday text. It is limited for each request.
 *
 * A stall is the time by which a timer of the event loop was late while its own thread ran code. Late timers
 * alone also show garbage collections, which an idle API has too: a minor one every few seconds, which waits for
 * its helper threads and took 40 to 250 ms on a machine whose processors were busy, and a major one about once
 * a minute, with 25 to 50 ms of CPU time. The table has the longest of both kinds beside those of ordinary requests.
 */
const bounds = { loopRatio: 1.2, p95Ratio: 1.2, stallMs: 20, cpuMs: 60 } as const;

/** Differences below these are noise: CPU time of the event loop in a second, and the neighbour's p95. */
const noise = { loopMsInSecond: 5, p95Ms: 2 } as const;

/** The neighbour's requests in a second. */
const neighbourPerSecond = 10;

/** Duration of the first turn, which compiles the code and fills the caches, in seconds. */
const warmUpSeconds = 1;

/** The cost of one round of requests. */
interface Round extends LoopReport {
  /** Times of the neighbour's requests. */
  readonly tookMs: readonly number[];
  readonly seconds: number;
  /** The number of responses by status and error. */
  readonly answers: readonly string[];
}

/** The sum of some rounds. */
interface Cost {
  /** CPU time for each request, without that of rounds without requests. */
  readonly cpuMs: number;
  readonly loopCpuMs: number;
  readonly p95Ms: number;
  /** Median of the rounds. */
  readonly stallMs: number;
  /** The longest of all rounds. */
  readonly ownStallMs: number;
  readonly collectionMs: number;
  readonly answers: string;
}

export interface Comparison {
  readonly name: string;
  readonly loopMs: number;
  readonly cpuMs: number;
  readonly violations: readonly string[];
}

interface Options {
  /** Folder for the socket of the watch. */
  readonly directory: string;
  /** Duration of a round. */
  readonly seconds: number;
  readonly rounds: number;
  readonly isSelected: (name: string) => boolean;
  /** Called with each line of the table. */
  readonly report: (line: string) => void;
}

/**
 * Sends each expensive text at the full rate of one key, in turn with as many ordinary requests of the same
 * operation, while a neighbour reads its account.
 */
export async function compareTexts(
  postgresUrl: string,
  options: Options,
): Promise<readonly Comparison[]> {
  const { directory, isSelected, report } = options;
  const socket = join(directory, "loop.sock");
  const preload = new URL(`./watch-loop.ts?socket=${socket}`, import.meta.url);
  const service = await startStack({
    postgresUrl,
    processes: true,
    workers: 0,
    environment: {
      ...processTuning,
      NODE_OPTIONS: `--import ${preload.href}`,
      GENERATIONS_PER_MINUTE: "100000000",
      OTHER_REQUESTS_PER_MINUTE: "100000000",
      VERIFICATIONS_PER_MINUTE: "100000000",
      MAX_UNFINISHED_JOBS: "10000000",
      MAX_QUEUE_DEPTH: "10000000",
      MAX_QUEUE_AGE_SECONDS: "1000000",
    },
  });
  try {
    const [attacker, neighbour] = await Promise.all([
      service.createAccount("100000"),
      service.createAccount(),
    ]);
    const owned = await makeOwned(service, attacker);
    const comparisons: Comparison[] = [];
    report(heading);
    const context = { service, socket, attacker, neighbour };
    // Compiled code and filled caches.
    await measure(context, 2, { perMinute: 3_000, shots: warmUp });
    for (const group of createExpensiveTexts(owned)) {
      const texts = Object.entries(group.texts).filter(([name]) =>
        isSelected(`${group.operation}: ${name}`),
      );
      if (texts.length > 0)
        comparisons.push(...(await compareGroup(context, group, texts, options)));
    }
    return comparisons;
  } finally {
    await service.stop();
  }
}

async function makeOwned(service: Stack, account: TestAccount): Promise<Owned> {
  const worker = await service.startWorker();
  const call = async (method: string, path: string, body?: object) => {
    const response = await service.request(account, method, path, body);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const made = await call("POST", "/v1/generate/image", { model: "fake-blind", prompt: "a lamp" });
  const jobId = made.headers.get("X-Service-Job-Id") ?? "";
  const idOf = async (response: Response) =>
    ((await response.json()) as { readonly id: string }).id;
  const collectionId = await idOf(await call("POST", "/v1/collections", { name: "Covers" }));
  const member = { name: "Mira", description: "a woman", reference: { job_id: jobId } };
  const characterId = await idOf(await call("POST", "/v1/characters", member));
  service.workers.splice(service.workers.indexOf(worker), 1);
  await worker.stop();
  return { jobId, collectionId, characterId };
}

let turn = 0;

const warmUp = () => ({ method: "GET", path: "/v1/account", headers: {}, body: null });

interface Context {
  readonly service: Stack;
  readonly socket: string;
  readonly attacker: TestAccount;
  readonly neighbour: TestAccount;
}

/** Measures all texts of an operation in turn, and prints a line for each. */
async function compareGroup(
  context: Context,
  { operation, jobs = 1, perMinute, ordinary, sameLength }: ExpensiveTexts,
  texts: readonly (readonly [name: string, shots: ExpensiveTexts["ordinary"]])[],
  { rounds, seconds, report }: Options,
): Promise<readonly Comparison[]> {
  const everyday = Object.entries(sameLength).map(
    ([alphabet, shots]) => [`everyday ${alphabet}`, shots] as const,
  );
  const kinds = [["ordinary", ordinary] as const, ...everyday, ...texts];
  const idle: Round[] = [];
  const found = new Map<string, Round[]>(kinds.map(([name]) => [name, []]));
  for (const [, shots] of kinds) await measure(context, warmUpSeconds, { perMinute, shots });
  for (let index = 0; index < rounds; index++) {
    idle.push(await measure(context, seconds, null));
    for (const [name, shots] of kinds) {
      found.get(name)?.push(await measure(context, seconds, { perMinute, shots }));
    }
  }
  const costs = new Map([...found].map(([name, its]) => [name, costOf(its, idle, jobs)]));
  const base = costs.get("ordinary");
  if (base === undefined) throw new Error("unreachable: ordinary requests are measured");
  report(describe(operation, "the neighbour alone", { cost: costOf(idle, idle, 1) }));
  report(describe(operation, "ordinary", { cost: base }));
  const sizeOf = (shots: ExpensiveTexts["ordinary"]) => sizeOfShot(shots(0));
  for (const [name] of everyday) {
    const cost = costs.get(name);
    if (cost !== undefined) report(describe(operation, name, { cost, ordinary: base }));
  }
  return texts.flatMap(([name, shots]): Comparison[] => {
    const [nearest] = everyday.toSorted(
      ([, one], [, other]) =>
        Math.abs(sizeOf(one) - sizeOf(shots)) - Math.abs(sizeOf(other) - sizeOf(shots)),
    );
    const cost = costs.get(name);
    const same = costs.get(nearest?.[0] ?? "");
    if (cost === undefined || same === undefined) return [];
    const violations = violationsOf(cost, [base, same], {
      all: costs,
      perSecond: (jobs * perMinute) / 60,
    });
    report(describe(operation, name, { cost, ordinary: base, same, violations }));
    return [
      { name: `${operation}: ${name}`, loopMs: cost.loopCpuMs, cpuMs: cost.cpuMs, violations },
    ];
  });
}

function sizeOfShot({ body, headers, path }: Shot): number {
  return (body?.byteLength ?? 0) + JSON.stringify(headers).length + path.length;
}

function violationsOf(
  cost: Cost,
  usual: readonly Cost[],
  { all, perSecond }: { readonly all: ReadonlyMap<string, Cost>; readonly perSecond: number },
): string[] {
  const { ownStallMs, cpuMs } = cost;
  const isAbove = (read: (of: Cost) => number, ratio: number, least: number) => {
    const ordinary = Math.max(0, ...usual.map(read));
    return read(cost) > ratio * ordinary && read(cost) - ordinary > least;
  };
  // A stall of everyday requests is not one of the text.
  const everyday = [...all].flatMap(([name, other]) =>
    name === "ordinary" || name.startsWith("everyday") ? [other.ownStallMs] : [],
  );
  const longestMs = Math.max(bounds.stallMs, ...everyday);
  const leastLoopMs = noise.loopMsInSecond / perSecond;
  const isLoopAbove = isAbove((of) => of.loopCpuMs, bounds.loopRatio, leastLoopMs);
  return [
    ...(isLoopAbove ? ["CPU of the event loop"] : []),
    ...(cpuMs > bounds.cpuMs ? ["CPU of all threads"] : []),
    ...(isAbove((of) => of.p95Ms, bounds.p95Ratio, noise.p95Ms) ? ["p95 of the neighbour"] : []),
    ...(ownStallMs > longestMs ? ["stall"] : []),
  ];
}

/** Measures a round of requests, or one of the neighbour alone. */
async function measure(
  { service, socket, attacker, neighbour }: Context,
  seconds: number,
  attack:
    | (Pick<ExpensiveTexts, "perMinute"> & { readonly shots: ExpensiveTexts["ordinary"] })
    | null,
): Promise<Round> {
  await readLoop(socket);
  const startedAt = performance.now();
  const tookMs: number[] = [];
  const answers: string[] = [];
  const read = async () => {
    const sentAt = performance.now();
    const response = await service.request(neighbour, "GET", "/v1/account");
    await response.text();
    tookMs.push(performance.now() - sentAt);
  };
  const strike = async (shots: ExpensiveTexts["ordinary"]) => {
    const { method, path, headers, body } = shots(turn++);
    const response = await fetch(service.url + path, {
      method,
      headers: { Authorization: `Bearer ${attacker.key}`, ...headers },
      body,
    });
    const text = await response.text();
    const [, error = ""] = /^\{"error":"(\w+)"/.exec(text) ?? [];
    answers.push(`${response.status} ${error}`.trim());
    if (path === "/v1/batches" && response.ok) await untilAccepted(service, attacker, text);
  };
  await Promise.all([
    pace(neighbourPerSecond, seconds, read),
    attack && pace(attack.perMinute / 60, seconds, () => strike(attack.shots)),
  ]);
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  return { ...(await readLoop(socket)), tookMs, seconds: tookSeconds, answers };
}

function costOf(rounds: readonly Round[], idle: readonly Round[], jobs: number): Cost {
  const total = (read: (round: Round) => number, of = rounds) =>
    of.reduce((sum, round) => sum + read(round), 0);
  const sent = jobs * total(({ answers }) => answers.length);
  const perRequest = (read: (round: Round) => number) => {
    const perSecond = total(read, idle) / total(({ seconds }) => seconds, idle);
    return sent === 0 ? 0 : (total(read) - perSecond * total(({ seconds }) => seconds)) / sent;
  };
  const middle = (read: (round: Round) => number) => median(rounds.map(read));
  const counts = Map.groupBy(
    rounds.flatMap(({ answers }) => answers),
    (answer) => answer,
  );
  return {
    cpuMs: perRequest(({ cpuMs }) => cpuMs),
    loopCpuMs: perRequest(({ loopCpuMs }) => loopCpuMs),
    p95Ms: percentile(
      rounds.flatMap(({ tookMs }) => tookMs),
      0.95,
    ),
    stallMs: middle(({ stallMs }) => stallMs),
    ownStallMs: Math.max(...rounds.map(({ ownStallMs }) => ownStallMs)),
    collectionMs: middle(({ collectionMs }) => collectionMs),
    answers: [...counts].map(([answer, all]) => `${all.length} × ${answer}`).join(", "),
  };
}

const heading =
  "CPU in ms of a request: of all threads and of the event loop, × that of ordinary requests, × that of everyday texts of the same size.\n" +
  "Stalls in ms: late timers of the event loop, the part of it that is code, and its longest garbage collection.\n" +
  "operation                text                        CPU     ×     ×    loop     ×     ×   stall  own   GC    p95     ×";

/** A line of the table. */
function describe(
  operation: string,
  name: string,
  {
    cost,
    ordinary,
    same,
    violations,
  }: {
    readonly cost: Cost;
    readonly ordinary?: Cost;
    readonly same?: Cost;
    readonly violations?: readonly string[];
  },
): string {
  const ratio = (read: (cost: Cost) => number, other: Cost | undefined) =>
    (other === undefined || read(other) <= 0
      ? ""
      : (Math.max(read(cost), 0) / read(other)).toFixed(2)
    ).padStart(6);
  const cpu = ({ cpuMs }: Cost) => cpuMs;
  const loop = ({ loopCpuMs }: Cost) => loopCpuMs;
  const p95 = ({ p95Ms }: Cost) => p95Ms;
  const cells = [
    operation.padEnd(24),
    ` ${name}`.padEnd(26),
    cost.cpuMs.toFixed(2).padStart(7),
    ratio(cpu, ordinary),
    ratio(cpu, same),
    cost.loopCpuMs.toFixed(2).padStart(8),
    ratio(loop, ordinary),
    ratio(loop, same),
    cost.stallMs.toFixed(0).padStart(8),
    cost.ownStallMs.toFixed(0).padStart(5),
    cost.collectionMs.toFixed(0).padStart(5),
    cost.p95Ms.toFixed(1).padStart(7),
    ratio(p95, same),
  ];
  const verdict =
    violations === undefined
      ? ""
      : violations.length === 0
        ? "ok"
        : `BEYOND: ${violations.join(", ")}`;
  return `${cells.join("")}  ${cost.answers} ${verdict}`.trimEnd();
}

/** Calls at a steady rate, and waits for all calls; at least once. */
async function pace(perSecond: number, seconds: number, call: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const count = Math.max(1, Math.floor(perSecond * seconds));
  const calls: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    await delay(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()));
    calls.push(call());
  }
  await Promise.all(calls);
}

/** Waits until every line of a batch is accepted or refused. */
async function untilAccepted(service: Stack, account: TestAccount, text: string): Promise<void> {
  const { id } = JSON.parse(text) as { readonly id: string };
  for (let waiting = 1; waiting > 0;) {
    await delay(200);
    const response = await service.request(account, "GET", `/v1/batches/${id}`);
    const batch = (await response.json()) as { readonly counts: { readonly waiting: number } };
    ({ waiting } = batch.counts);
  }
  await service.request(account, "DELETE", `/v1/batches/${id}`);
}
