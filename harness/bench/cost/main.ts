import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createDatabase } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { startServices, type BenchServices } from "../../shared/start-services.ts";
import { median } from "../../shared/statistics.ts";
import type { Load } from "./program.ts";
import { readCosts, walPosition, type Reading } from "./readings.ts";
import { startProgram, type MeasuredProgram } from "./start-program.ts";

/**
 * Measures what an image costs besides HTTP, the model, marking and storage: statements, durable
 * commits, WAL and rows of one image; images per second of one and of 16 accounts, compared with the
 * floor of any such service; and accepts and images per second when a commit takes 20 ms.
 *
 * npm run bench -- cost [--queue Redis|Postgres] [--rounds N] [--seconds N] [--images N] [--against <checkout>]
 *
 * `--rounds 0` only reads the cost of an image, which does not depend on what else the machine does;
 * `--images 0` only measures rates.
 * `--against` measures the code of another checkout, which needs its own `node_modules`, in the same rounds.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    queue: { type: "string" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "4" },
    images: { type: "string", default: "300" },
    against: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const images = Number(values.images);

/** Images before the measured ones, whose cost is subtracted with that of the start. */
const warmUp = 100;

const until = { seconds };
const alone: Load = { kind: "images", clients: 1, accounts: 1, until };
const floorAlone: Load = { ...alone, kind: "floor" };
const oneAccount: Load = { kind: "images", clients: 32, accounts: 1, until };
const manyAccounts: Load = { ...oneAccount, accounts: 16 };
const floor: Load = { ...oneAccount, kind: "floor" };
const accepts: Load = { kind: "accepts", clients: 32, accounts: 1, until };
const fastLoads = {
  alone,
  floorAlone,
  oneAccount,
  manyAccounts,
  floor,
  acceptsOfOne: accepts,
  acceptsOf16: { ...accepts, accounts: 16 },
} as const;
const slowLoads = {
  slowSingleOfOne: { ...accepts, kind: "single accepts", clients: 8 },
  slowSingleOf8: { ...accepts, kind: "single accepts", clients: 8, accounts: 8 },
  slowAcceptsOfOne: { ...accepts, clients: 8 },
  slowImages: manyAccounts,
} as const;
type LoadName = keyof typeof fastLoads | keyof typeof slowLoads;

/** One checkout with one queue. */
interface Subject {
  readonly name: string;
  readonly checkout: string;
  readonly databaseUrl: string;
  readonly queueUrl: string;
  readonly rates: Record<LoadName, number[]>;
}

/** The leader of a group commit waits before it writes: a slow disk, or a synchronous replica. */
const slowCommits = { commit_delay: "20000", commit_siblings: "0" };

const services = await startServices("cost", {
  shared_preload_libraries: "pg_stat_statements",
  max_connections: "400",
  max_wal_size: "4GB",
});
const server = createDatabase({
  url: services.postgresUrl,
  poolSize: 1,
  applicationName: "cost-server",
});
try {
  const subjects = await openSubjects(services);
  const costs = new Map<Subject, Reading>();
  if (images > 0) for (const subject of subjects) costs.set(subject, await readImage(subject));
  await measureRates(subjects);
  process.stdout.write(`${describe(subjects, costs)}\n`);
} finally {
  await server.close();
  await services.stop();
}

async function openSubjects({ postgresUrl, queues }: BenchServices): Promise<Subject[]> {
  const own = fileURLToPath(new URL("../../..", import.meta.url));
  const checkouts = [
    ...(values.against === undefined ? [] : [{ label: "before", path: resolve(values.against) }]),
    { label: values.against === undefined ? "" : "after", path: own },
  ];
  const subjects: Subject[] = [];
  for (const { name, redisUrl } of queues) {
    if (values.queue !== undefined && values.queue !== name) continue;
    for (const { label, path } of checkouts) {
      const { url } = await createTestDatabase(postgresUrl);
      subjects.push({
        name: `${name} ${label}`.trim(),
        checkout: path,
        databaseUrl: url,
        queueUrl: redisUrl === null ? url : `${redisUrl}?prefix=${crypto.randomUUID()}`,
        rates: {
          alone: [],
          floorAlone: [],
          oneAccount: [],
          manyAccounts: [],
          floor: [],
          acceptsOfOne: [],
          acceptsOf16: [],
          slowSingleOfOne: [],
          slowSingleOf8: [],
          slowAcceptsOfOne: [],
          slowImages: [],
        },
      });
    }
  }
  return subjects;
}

/** Reads the cost of one image: of `warmUp + images` after a start, without that of `warmUp` after a start. */
async function readImage(subject: Subject): Promise<Reading> {
  const database = createDatabase({
    url: subject.databaseUrl,
    poolSize: 1,
    applicationName: "cost-reader",
  });
  try {
    await database.query("CREATE EXTENSION pg_stat_statements");
    await database.query("CREATE EXTENSION pg_walinspect");
    const readRun = async (operations: number): Promise<Reading> => {
      // Pages are logged in full after a checkpoint. Its own record is what the first reading finds.
      const since = await walPosition(database);
      await database.query("CHECKPOINT");
      const before = await readCosts(database, since);
      const program = await startProgram(subject);
      await program.run({ ...alone, until: { operations } });
      await program.stop();
      await untilDisconnected();
      return subtract(await readCosts(database, since), before, 1);
    };
    // The first start also creates the tables of BullMQ.
    await readRun(1);
    const short = await readRun(warmUp);
    const long = await readRun(warmUp + images);
    return {
      ...subtract(long, short, images),
      // Each page is logged in full once after a checkpoint: a difference would not count it.
      fullPageBytes: long.fullPageBytes / (warmUp + images),
    };
  } finally {
    await database.close();
  }
}

/** Waits until the connections of the program have ended, and so have reported what they did. */
async function untilDisconnected(): Promise<void> {
  for (;;) {
    const [others] = await server.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND application_name NOT LIKE 'cost-%'`,
    );
    if (others?.count === 0) return;
    await delay(50);
  }
}

function subtract(reading: Reading, base: Reading, divisor: number): Reading {
  const names = Object.keys(reading) as (keyof Reading)[];
  return Object.fromEntries(
    names.map((name) => [name, (reading[name] - base[name]) / divisor]),
  ) as unknown as Reading;
}

async function measureRates(subjects: readonly Subject[]): Promise<void> {
  const programs = new Map<Subject, MeasuredProgram>();
  const measure = async (loads: Readonly<Partial<Record<LoadName, Load>>>, round: number) => {
    // The order changes, so that none benefits from its position.
    const order = round % 2 === 1 ? subjects : subjects.toReversed();
    for (const [name, load] of Object.entries(loads)) {
      for (const subject of order) {
        const result = await programs.get(subject)?.run(load);
        if (result === undefined) throw new Error("a program for each subject");
        subject.rates[name as LoadName].push(result.operations / result.seconds);
      }
    }
  };
  try {
    for (const subject of subjects) {
      const program = await startProgram(subject);
      programs.set(subject, program);
      await program.run({ ...manyAccounts, until: { seconds: 3 } });
      await program.run({ ...floor, until: { seconds: 2 } });
    }
    for (let round = 1; round <= rounds; round++) {
      await measure(fastLoads, round);
      await setAll(slowCommits);
      await measure(slowLoads, round);
      await setAll({ commit_delay: "0" });
      process.stderr.write(`cost: round ${round} of ${rounds}\n`);
    }
  } finally {
    for (const program of programs.values()) await program.stop();
  }
}

async function setAll(settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await server.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  }
  await server.query("SELECT pg_reload_conf()");
}

function describe(subjects: readonly Subject[], costs: ReadonlyMap<Subject, Reading>): string {
  const rate = (subject: Subject, name: LoadName) => median(subject.rates[name]);
  const ratio = (one: LoadName, other: LoadName) => (subject: Subject) =>
    median(
      subject.rates[one].map((value, round) => value / (subject.rates[other][round] ?? Number.NaN)),
    );
  const cost = (read: (reading: Reading) => number) => (subject: Subject) => {
    const reading = costs.get(subject);
    return reading === undefined ? Number.NaN : read(reading);
  };
  const rows: readonly (readonly [string, (subject: Subject) => number, digits: number])[] = [
    ["statements per image", cost(({ statements }) => statements), 1],
    ["durable commits per image", cost(({ durableCommits }) => durableCommits), 2],
    ["WAL per image, kB", cost(({ walBytes }) => walBytes / 1_000), 1],
    ["full pages per image, kB", cost(({ fullPageBytes }) => fullPageBytes / 1_000), 1],
    ["rows per image", cost((reading) => reading.rows), 1],
    ["rows of BullMQ per image", cost(({ queueRows }) => queueRows), 1],
    ["updates per image", cost(({ updates }) => updates), 1],
    ["HOT updates per image", cost(({ hotUpdates }) => hotUpdates), 1],
    ["images/s, 16 accounts", (subject) => rate(subject, "manyAccounts"), 0],
    ["images/s, 1 account", (subject) => rate(subject, "oneAccount"), 0],
    ["images/s, 1 client", (subject) => rate(subject, "alone"), 0],
    ["1 account / 16 accounts", ratio("oneAccount", "manyAccounts"), 2],
    ["overhead / floor, 32 clients", ratio("floor", "manyAccounts"), 2],
    ["overhead / floor, 1 client", ratio("floorAlone", "alone"), 2],
    ["accepts/s, 16 accounts", (subject) => rate(subject, "acceptsOf16"), 0],
    ["accepts/s, 1 account", (subject) => rate(subject, "acceptsOfOne"), 0],
    ["20 ms: accepts/s, 1 account, 8 clients", (subject) => rate(subject, "slowAcceptsOfOne"), 0],
    ["20 ms: single accepts/s, 1 account", (subject) => rate(subject, "slowSingleOfOne"), 0],
    ["20 ms: single accepts/s, 8 accounts", (subject) => rate(subject, "slowSingleOf8"), 0],
    ["20 ms: single, 8 accounts / 1", ratio("slowSingleOf8", "slowSingleOfOne"), 2],
    ["20 ms: images/s, 32 clients", (subject) => rate(subject, "slowImages"), 0],
  ];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(["", ...subjects.map(({ name }) => name)]),
    line(["---", ...subjects.map(() => "--:")]),
    ...rows
      .map(([title, value, digits]) => ({ title, digits, results: subjects.map(value) }))
      // A row without measurements has no numbers.
      .filter(({ results }) => !results.every(Number.isNaN))
      .map(({ title, digits, results }) =>
        line([title, ...results.map((result) => result.toFixed(digits))]),
      ),
  ].join("\n");
}
