import { createDatabase, newId, type Database, type Sql } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterEach, beforeEach, expect, inject, it, vi } from "vitest";
import {
  auditOperatorLog,
  beginKey,
  readHead,
  readOperatorLog,
  recordAlone,
  recordOperation,
  recordUnlessRefused,
  type LogHead,
} from "./operator-log.ts";

const key = "a key of the operator log with 32 characters";
const accountId = newId();

let testDatabase: TestDatabase;
let database: Database;

beforeEach(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 5, applicationName: "test" });
  await database.query("INSERT INTO account (id, name) VALUES ($1, 'test')", [accountId]);
});

afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const write = (action: string, sealed: string | null = key): Promise<LogHead> =>
  recordAlone(database, sealed, {
    actor: "cli:anna",
    action,
    targetId: accountId,
    fields: ["name"],
    requestId: null,
    personal: { accountId, values: { name: "Marzipan Ltd" } },
  });

/** Changes the tables as somebody with the database alone can. */
const tamper = (text: string) =>
  database.transaction(async (sql: Sql) => {
    await sql.query("SET LOCAL session_replication_role = replica");
    await sql.query(text);
  });

const problems = async (heads: readonly LogHead[] = [], sealed: string | null = key) =>
  (await auditOperatorLog(database, sealed === null ? [] : [sealed], heads)).examples;

it("holds for lines that several processes write at once, and for their earlier heads", async () => {
  const heads = await Promise.all(Array.from({ length: 10 }, (_, index) => write(`a${index}`)));
  expect(await problems(heads)).toEqual([]);
  const lines = await Array.fromAsync(readOperatorLog(database, {}));
  expect(lines.map(({ number }) => number)).toEqual(lines.map((_, index) => BigInt(index + 1)));
  expect(lines[0]?.values).toEqual({ name: "Marzipan Ltd" });
  expect(await readHead(database)).toEqual(
    heads.toSorted((a, b) => Number(b.number - a.number))[0],
  );
});

it("leaves no line of a transaction that is rolled back", async () => {
  const failed = database.transaction(async (sql) => {
    await recordOperation(sql, key, {
      actor: "cli:anna",
      action: "a",
      targetId: null,
      fields: [],
      requestId: null,
      personal: null,
    });
    throw new Error("stop");
  });
  await expect(failed).rejects.toThrow("stop");
  await write("b");
  expect(await problems()).toEqual([]);
});

it("refuses changes, and finds those that somebody makes nevertheless", async () => {
  for (const action of ["a", "b", "c"]) await write(action);
  await expect(database.query("DELETE FROM operator_log")).rejects.toThrow("never change");
  await tamper("UPDATE operator_log SET actor = 'cli:nobody' WHERE number = 2");
  expect(await problems()).toEqual([
    { line: "2", problem: "changed, or written with another OPERATOR_LOG_KEY" },
  ]);
});

it("finds lines that are cut out, and with an earlier head those that are cut off", async () => {
  const heads = [await write("a"), await write("b"), await write("c")];
  await tamper("DELETE FROM operator_log WHERE number = 3");
  await tamper("DELETE FROM operator_log_values WHERE number = 3");
  expect(await problems()).toEqual([]);
  expect(await problems(heads.slice(2))).toEqual([
    { line: "3", problem: "cut off: an earlier head has it" },
  ]);
  await write("instead of c");
  expect(await problems(heads)).toEqual([
    { line: "3", problem: "another line than that of an earlier head" },
  ]);
  await tamper("DELETE FROM operator_log WHERE number = 1");
  expect(await problems()).toEqual([{ line: "1", problem: "the lines up to 1 are missing" }]);
  await tamper("TRUNCATE operator_log, operator_log_values");
  expect(await problems()).toEqual([]);
  expect(await problems(heads)).toEqual(
    heads.map(({ number }) => ({
      line: String(number),
      problem: "cut off: an earlier head has it",
    })),
  );
});

it("finds personal values that are changed or removed, unless their account was erased", async () => {
  await write("a");
  await write("b");
  await tamper("UPDATE operator_log_values SET personal = '{}' WHERE number = 1");
  await tamper("DELETE FROM operator_log_values WHERE number = 2");
  expect(await problems()).toEqual([
    { line: "1", problem: "its values are changed" },
    { line: "2", problem: "its values are removed, without an erasure" },
  ]);
  await database.query("DELETE FROM operator_log_values");
  await database.query("UPDATE account SET erased_at = now() WHERE id = $1", [accountId]);
  expect(await problems()).toEqual([]);
  await tamper(
    `INSERT INTO operator_log_values (number, account_id, salt, personal) VALUES (1, '${accountId}', '', '{}')`,
  );
  expect(await problems()).toEqual([
    { line: "1", problem: "its values are kept, although its account was erased" },
  ]);
});

it("keeps no values of an account that is erased, unknown, or erased at the same time", async () => {
  await write("before");
  const writing: Promise<LogHead>[] = [];
  await database.transaction(async (sql) => {
    await sql.query("UPDATE account SET erased_at = now() WHERE id = $1", [accountId]);
    await sql.query("DELETE FROM operator_log_values WHERE account_id = $1", [accountId]);
    writing.push(write("beside the erasure"));
    await vi.waitUntil(async () => {
      const waiting = await database.query(
        "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR SHARE%'",
      );
      return waiting.length > 0;
    });
  });
  await Promise.all(writing);
  await recordAlone(database, key, {
    actor: "cli:anna",
    action: "accounts keys create",
    targetId: accountId,
    fields: ["key"],
    requestId: null,
    personal: { accountId: newId(), values: { name: "unknown" } },
  });
  expect(await database.query("SELECT FROM operator_log_values")).toEqual([]);
  expect(await problems()).toEqual([]);
});

it("refuses lines without the key or with another one after the first line with it", async () => {
  await write("before", null);
  for (const action of ["first with the key", "second"]) {
    await write(action);
    await expect(write("c", null)).rejects.toThrow("OPERATOR_LOG_KEY, which is not set");
    await expect(write("c", "x".repeat(32))).rejects.toThrow("with another OPERATOR_LOG_KEY");
  }
  expect((await readHead(database))?.number).toBe(3n);
  expect(await problems()).toEqual([]);
});

it("says why an operation that runs without the key is not recorded", async () => {
  const operation = {
    actor: "cli:anna",
    action: "migrate",
    targetId: null,
    fields: [],
    requestId: null,
    personal: null,
  };
  expect(await recordUnlessRefused(database, key, operation)).toBeNull();
  expect(await recordUnlessRefused(database, null, operation)).toBe(
    "The operator log has no line about this migrate. The operator log is written with OPERATOR_LOG_KEY, which is not set. Set it for the program that writes.",
  );
  expect((await readHead(database))?.number).toBe(1n);
});

it("finds lines without the key after those with it", async () => {
  for (const action of ["a", "b", "c"]) await write(action);
  await tamper("UPDATE operator_log SET is_sealed = false WHERE number = 3");
  expect(await problems()).toEqual([
    { line: "3", problem: "written without OPERATOR_LOG_KEY after lines with it" },
  ]);
  // Nothing but the numbers can be checked without the key.
  expect((await problems([], "another key of 32 characters, which is wrong")).length).toBe(3);
});

const begin = (reason: "lost" | "rotated", ...keys: [string, ...string[]]) =>
  beginKey(database, keys, { actor: "cli:anna", reason });
const second = "a second key of the log with 32 characters";
const third = "a third key of the log, of 32 characters";

it("begins a new key after a loss, notes the lines of the lost one, and still finds other changes", async () => {
  for (const action of ["a", "b"]) await write(action);
  expect((await problems([], second)).map(({ line }: { line?: string }) => line)).toEqual([
    "1",
    "2",
  ]);
  const began = await begin("lost", second);
  const head = await write("after", second);
  await expect(write("c")).rejects.toThrow("with another OPERATOR_LOG_KEY");
  expect(await auditOperatorLog(database, [second], [began, head])).toMatchObject({
    checked: 4,
    violations: 0,
    notes: [expect.stringMatching(/^Lines 1 to 2 .* cannot be checked: line 3 states/)],
  });
  expect(await auditOperatorLog(database, [second, key], [])).toMatchObject({
    violations: 0,
    notes: [],
  });
  await tamper("UPDATE operator_log SET actor = 'cli:nobody' WHERE number = 1");
  expect(await problems([], second)).toEqual([]);
  expect((await auditOperatorLog(database, [second, key], [])).examples).toEqual([
    { line: "1", problem: "changed, or written with another OPERATOR_LOG_KEY" },
  ]);
  await tamper("UPDATE operator_log SET actor = 'cli:nobody' WHERE number = 4");
  expect(await problems([], second)).toEqual([
    { line: "4", problem: "changed, or written with another OPERATOR_LOG_KEY" },
  ]);
});

it("rotates the key only with the one before, which checks the lines before", async () => {
  await write("a");
  await expect(begin("rotated", second)).rejects.toThrow("Add the key before");
  await begin("rotated", second, key);
  await write("b", second);
  await begin("rotated", third, second);
  await write("c", third);
  const audited = (...keys: string[]) => auditOperatorLog(database, keys, []);
  expect(await audited(third, second, key)).toMatchObject({ violations: 0, notes: [] });
  // The key of lines 2 and 3 is missing, and no line states its loss.
  expect((await audited(third, key)).examples).toMatchObject([{ line: "2" }, { line: "3" }]);
  // A later loss does not concern them: line 4 was written with their key.
  await begin("lost", third);
  expect(await audited(third, key)).toMatchObject({
    examples: [{ line: "2" }, { line: "3" }],
    notes: [],
  });
});

it("finds lines before a rotation that are rewritten as those of a key that is lost later", async () => {
  for (const action of ["a", "b", "c"]) await write(action);
  await begin("rotated", second, key);
  await write("d", second);
  await begin("lost", third);
  const audited = () => auditOperatorLog(database, [third, second, key], []);
  expect(await audited()).toMatchObject({ violations: 0, notes: [] });
  const forge = (number: number) =>
    tamper(`UPDATE operator_log SET action = 'operator-log-key' WHERE number = ${number}`);
  await forge(2);
  await forge(3);
  expect(await audited()).toMatchObject({ examples: [{ line: "2" }, { line: "3" }], notes: [] });
  // Also when the rotation itself is changed, and lines after it are not.
  await tamper("UPDATE operator_log SET fields = '{lost}' WHERE number = 4");
  expect((await audited()).violations).toBe(3);
});

it("notes all lines before a loss back to the last that a key wrote, with or without a seal", async () => {
  for (const action of ["a", "b", "c", "d"]) await write(action);
  const head = await begin("lost", second);
  const notes = async () => (await auditOperatorLog(database, [second], [])).notes;
  const expected = [expect.stringMatching(/^Lines 1 to 4 .* line 5 states/)];
  expect(await notes()).toEqual(expected);
  // Without a key, a chain of digests can be made up to the last line before the loss.
  await tamper("DELETE FROM operator_log WHERE number < 4");
  await tamper("CREATE TABLE original AS SELECT * FROM operator_log");
  await tamper("TRUNCATE operator_log, operator_log_values");
  for (const action of ["x", "y", "z"]) await write(action, null);
  await tamper("INSERT INTO operator_log SELECT * FROM original");
  expect(await readHead(database)).toEqual(head);
  expect(await notes()).toEqual(expected);
});

it("finds a loss that somebody without the key states, or removes", async () => {
  for (const action of ["a", "b"]) await write(action);
  await begin("lost", second);
  await write("c", second);
  await tamper("UPDATE operator_log SET fields = '{rotated}' WHERE number = 3");
  expect((await problems([], second)).map(({ line }: { line?: string }) => line)).toEqual([
    "1",
    "2",
    "3",
  ]);
  await begin("lost", "an attacker's key of at least 32 characters");
  expect((await problems([], second)).map(({ line }: { line?: string }) => line)).toEqual([
    "1",
    "2",
    "3",
    "5",
  ]);
});
