import type { LoggedStatement } from "@atelier/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findCostly } from "./support/costly-statements.ts";
import {
  idle,
  makeImages,
  startWithHistory,
  useDefaultIntervals,
  useService,
  type ServiceWithHistory,
} from "./support/history-reads.ts";

let service: ServiceWithHistory;

beforeAll(async () => {
  service = await startWithHistory(100_000);
}, 600_000);

afterAll(() => service.stop());

/** The tables that were scanned as a whole during some work, with the rows that were read. */
async function scans(work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const { database } = service.stack;
  const read = async () => {
    const rows = await database.query<{ name: string; rows: number }>(
      "SELECT relname AS name, seq_tup_read::float8 AS rows FROM pg_stat_user_tables",
    );
    return new Map(rows.map(({ name, rows: count }) => [name, count]));
  };
  const before = await read();
  await work();
  // Processes report their statistics when they have been idle for a second.
  await idle(2);
  const after = await read();
  const differences = [...after].map(
    ([name, rows]) => [name, rows - (before.get(name) ?? 0)] as const,
  );
  return Object.fromEntries(differences.filter(([, rows]) => rows > 0));
}

async function statementsIn(seconds: number): Promise<readonly LoggedStatement[]> {
  const since = await service.postgres.position();
  await idle(seconds);
  return service.postgres.readStatements(since);
}

const medianOf = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const sum = (rows: Readonly<Record<string, number>>) =>
  Object.values(rows).reduce((total, count) => total + count, 0);

it("reads few more rows than it returns for an account with 100,000 jobs", async () => {
  const since = await service.postgres.position();
  await useService(service);
  const statements = await service.postgres.readStatements(since);
  expect(new Set(statements.map(({ text }) => text)).size).toBeGreaterThan(100);
  expect(findCostly(statements)).toEqual([]);
});

it("reads under 1,000 rows by whole-table scans for five images, and in 20 idle seconds", async () => {
  await useDefaultIntervals(service);
  const forImages = await scans(() => makeImages(service, 5));
  const windows: (readonly LoggedStatement[])[] = [];
  const whileIdle = await scans(async () => {
    while (windows.length < 10) windows.push(await statementsIn(2));
  });
  // A webhook that is tried again and the housekeeping of a few minutes fall into single windows.
  const perSecond = Object.fromEntries(
    ["atelier-api", "atelier-worker"].map((program) => [
      program,
      medianOf(
        windows.map((one) => one.filter(({ application }) => application === program).length / 2),
      ),
    ]),
  );
  process.stderr.write(
    `Whole-table scans with 100,000 jobs of one account: ${sum(forImages)} rows for five images, ` +
      `${sum(whileIdle)} in 20 idle seconds. Statements per second while idle: ${JSON.stringify(perSecond)}\n`,
  );
  for (const rows of [forImages, whileIdle]) {
    expect([rows, sum(rows) < 1_000]).toEqual([rows, true]);
  }
  const isIdle = Object.values(perSecond).every((count) => count <= 1);
  const texts = windows.map((one) => one.map(({ text }) => text));
  expect([perSecond, isIdle || texts]).toEqual([perSecond, true]);
}, 120_000);
