import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { createStorage } from "@atelier/storage";
import { fillHistory } from "@atelier/testing";
import { afterEach, beforeEach, expect, inject, it, vi } from "vitest";
import { runInTest } from "./testing/run-in-test.ts";

const jobs = 400;

let testDatabase: TestDatabase;
let database: Database;
let directory: string;
let accounts: readonly string[];

beforeEach(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 3, applicationName: "test" });
  directory = await mkdtemp(join(tmpdir(), "atelier-archive-"));
  const storage = await createStorage({
    url: pathToFileURL(directory).href,
    publicUrl: "http://localhost",
    signingSecret: "a secret that is only for tests and long enough",
  });
  await storage.close();
  accounts = await fillHistory(database, { accounts: 2, generations: jobs, ages: [200, 100] });
});

afterEach(async () => {
  await database.close();
  await testDatabase.drop();
  await rm(directory, { recursive: true, force: true });
});

const environment = () => ({
  DATABASE_URL: testDatabase.url,
  STORAGE_URL: pathToFileURL(directory).href,
});

/** A month whose predecessor ended at least 31 days ago, and that is after all jobs. */
const before = new Date(Date.now() - 31 * 86_400_000).toISOString().slice(0, 7);

async function atelier(...args: string[]) {
  return runInTest(args, environment(), true);
}

async function count(table: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(`SELECT count(*)::int FROM ${table}`);
  return row?.count ?? 0;
}

it("moves jobs to the storage month by month, lists them, and the audit holds", async () => {
  expect(await atelier("archive", "--before", before)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Stay in the database: ${jobs} texts.`),
  });
  const archived = await atelier("archive", "--before", before, "--with-texts");
  expect(archived.stdout).toMatch(new RegExp(`^${jobs} jobs are archived in \\d files\\.$`, "m"));
  expect(archived.stderr).toMatch(/^\d{4}-\d\d: \d+ jobs are archived$/m);
  expect(await count("generation")).toBe(0);
  expect(await count("hold")).toBe(jobs);
  const list = await atelier("archive", "--list", "--json");
  const parts = JSON.parse(list.stdout) as { state: string; jobs: number; bytes: number }[];
  expect(parts.reduce((sum, part) => sum + part.jobs, 0)).toBe(jobs);
  expect(parts.every(({ state, bytes }) => state === "complete" && bytes > 0)).toBe(true);
  expect((await atelier("archive", "--list")).stdout).toContain("complete  ");
  expect((await atelier("audit", "--hash", "1")).stdout).toContain("All invariants hold.");
});

it("erases the archived jobs of an account, and no others", async () => {
  await atelier("archive", "--before", before, "--with-texts");
  const [own = "", other = ""] = accounts;
  const erased = await atelier("accounts", "erase", own, "--yes", "--json");
  expect(JSON.parse(erased.stdout)).toMatchObject({ archive_parts_left: 0, files_not_removed: 0 });
  const parts = await database.query<{ accounts: string[] }>(
    "SELECT account_ids AS accounts FROM archive_part",
  );
  expect(new Set(parts.flatMap((part) => part.accounts))).toEqual(new Set([other]));
  expect((await atelier("audit", "--hash", "1")).stdout).toContain("All invariants hold.");
});

it("says in a pipe, too, why an erasure is not complete", async () => {
  await atelier("archive", "--before", before, "--with-texts");
  const [part] = await database.query<{ key: string }>(
    "SELECT storage_key AS key FROM archive_part WHERE $1 = ANY (account_ids) LIMIT 1",
    [accounts[0]],
  );
  await writeFile(join(directory, part?.key ?? ""), "damaged");
  for (const flags of [["--yes"], ["--yes", "--json"]]) {
    const erased = await runInTest(
      ["accounts", "erase", accounts[0] ?? "", ...flags],
      environment(),
    );
    expect(erased.code).toBe(1);
    expect(erased.stderr).toMatch(/^Error: The file \S+ of the storage is missing or is not /);
    expect(erased.stderr.trimEnd().split("\n")).toHaveLength(1);
  }
});

it("refunds an archived job with its key and model, and none of an erased account", async () => {
  const [job, erased] = await Promise.all(
    accounts.map(async (account) => {
      const [newest] = await database.query<{ id: string; model: string; keyId: string | null }>(
        `SELECT id, model, key_id AS "keyId" FROM generation WHERE account_id = $1 LIMIT 1`,
        [account],
      );
      return newest;
    }),
  );
  await atelier("archive", "--before", before, "--with-texts");
  const refund = (id = "") =>
    atelier("accounts", "refund", id, "--reference", "complaint 1", "--json");
  for (const booked of [true, false]) {
    expect(JSON.parse((await refund(job?.id)).stdout)).toMatchObject({
      booked,
      amount_eur: "0.01",
      refunded_eur: "0.01",
    });
  }
  const [stored] = await database.query('SELECT model, key_id AS "keyId", kind FROM refund');
  expect(stored).toEqual({ model: job?.model, keyId: job?.keyId, kind: "image" });
  const { stdout } = await atelier("find", "--job", job?.id ?? "");
  expect(stdout).toMatch(/^Refunded +0\.01 EUR$/m);
  await atelier("accounts", "erase", accounts[1] ?? "", "--yes");
  expect(await refund(erased?.id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is archived and its account was erased"),
  });
  const { STORAGE_URL: _, ...withoutStorage } = environment();
  expect(await runInTest(["accounts", "refund", newId()], withoutStorage)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("set STORAGE_URL"),
  });
  expect((await atelier("audit", "--hash", "1")).stdout).toContain("All invariants hold.");
});

it(
  "finishes in the next run after it was killed while it deletes rows",
  { tags: "full" },
  async () => {
    const child = spawn(
      process.execPath,
      [
        fileURLToPath(new URL("main.ts", import.meta.url)),
        "archive",
        "--before",
        before,
        "--with-texts",
      ],
      { env: { ...process.env, ATELIER_ENV_FILE: "/dev/null", ...environment() }, stdio: "ignore" },
    );
    const exited = once(child, "exit");
    await vi.waitUntil(async () => (await count("generation")) < jobs, {
      timeout: 20_000,
      interval: 5,
    });
    child.kill("SIGKILL");
    await exited;
    expect(await count("generation")).toBeGreaterThan(0);
    // The lease of the killed process expires.
    await database.query("UPDATE recurring_task SET next_turn_at = now()");
    expect((await atelier("archive", "--before", before, "--with-texts")).code).toBe(0);
    expect(await count("generation")).toBe(0);
    expect((await atelier("audit", "--hash", "1")).stdout).toContain("All invariants hold.");
  },
);

it.each([
  [["archive"], "Pass --before <month>, or --list."],
  [["archive", "--before", "2026-13"], "It must be a month such as 2026-06."],
  [["archive", "--before", "2999-01"], "31 days after the end of their month"],
])("refuses %j", async (args, message) => {
  const { code, stderr } = await atelier(...args);
  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
});
