import { createDatabaseFromTemplate, createTestDatabase } from "@atelier/local-services";
import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { applyMigrations } from "./apply-migrations.ts";
import { baseline, replacedByBaseline } from "./baseline.ts";
import { diffMigrations } from "./testing/diff-migrations.ts";
import { readMigrationFiles } from "./migration-files.ts";

/** Opens a database of its own: migrated, or without any table. */
async function openDatabase(content: "migrated" | "empty"): Promise<{ url: string; sql: pg.Pool }> {
  const database = await createTestDatabase(inject("postgresUrl"));
  const { url } = database;
  if (content === "empty") {
    await createDatabaseFromTemplate(
      inject("postgresUrl"),
      new URL(url).pathname.slice(1),
      "template0",
    );
  }
  const sql = new pg.Pool({ connectionString: url });
  // A pool ends before its connections are closed: the drop terminates those that are left.
  sql.on("error", () => undefined);
  sql.on("connect", (client) => client.on("error", () => undefined));
  onTestFinished(async () => {
    await sql.end();
    await database.drop();
  });
  return { url, sql };
}

async function recordedNames(sql: pg.Pool): Promise<string[]> {
  const { rows } = await sql.query<{ name: string }>(
    "SELECT migration_name AS name FROM _prisma_migrations ORDER BY name",
  );
  return rows.map(({ name }) => name);
}

/** Turns the record of a migrated database into that of a database before the baseline. */
async function recordAsBefore(sql: pg.Pool, names: readonly string[]): Promise<void> {
  await sql.query("TRUNCATE _prisma_migrations");
  await sql.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
     SELECT gen_random_uuid(), '', name, now() FROM unnest($1::text[]) AS name`,
    [names],
  );
}

it("has migrations that match schema.prisma", async () => {
  expect(await diffMigrations(inject("postgresUrl"))).toContain("This is an empty migration");
});

it("applies nothing to a database that is up to date", async () => {
  const { url } = await openDatabase("migrated");
  expect(await applyMigrations(url)).toEqual([]);
});

it("applies all migrations to an empty database, once, when several processes start together", async () => {
  const { url, sql } = await openDatabase("empty");
  const names = (await readMigrationFiles()).map(({ name }) => name);
  const runs = await Promise.all([applyMigrations(url), applyMigrations(url)]);
  expect(runs.sort((one, other) => other.length - one.length)).toEqual([names, []]);
  expect(await recordedNames(sql)).toEqual(names);
});

it("counts a database with all migrations before the baseline as having it", async () => {
  const { url, sql } = await openDatabase("migrated");
  await recordAsBefore(sql, replacedByBaseline);
  const migrations = (await readMigrationFiles()).filter(({ name }) => name === baseline);
  expect(await applyMigrations(url, { migrations })).toEqual([]);
  expect(await recordedNames(sql)).toEqual([...replacedByBaseline, baseline]);
});

it("refuses a database with some of them, names the commit to run first, and changes nothing", async () => {
  const { url, sql } = await openDatabase("migrated");
  const some = replacedByBaseline.slice(0, -1);
  await recordAsBefore(sql, some);
  await expect(applyMigrations(url)).rejects.toThrow('migrate" of commit 590ce50 first');
  expect(await recordedNames(sql)).toEqual(some);
});

it("rolls a migration back as a whole when a statement fails, and runs it again next time", async () => {
  const { url, sql } = await openDatabase("migrated");
  const name = "29990101000000_test";
  const faulty = [{ name, sql: "CREATE TABLE a (id int); CREATE TABLE a (id int);" }];
  await expect(applyMigrations(url, { migrations: faulty })).rejects.toThrow(
    `Migration ${name} failed: relation "a" already exists`,
  );
  const mended = [{ name, sql: "CREATE TABLE a (id int);" }];
  expect(await applyMigrations(url, { migrations: mended })).toEqual([name]);
  expect(await recordedNames(sql)).toContain(name);
});

it("waits for a lock no longer than its timeout, lets others pass, and succeeds once it is free", async () => {
  const { url, sql } = await openDatabase("migrated");
  const holder = await sql.connect();
  await holder.query("BEGIN; SELECT * FROM account LIMIT 1");
  const migrations = [
    { name: "29990101000000_test", sql: "ALTER TABLE account ADD COLUMN test int;" },
  ];
  const { promise: waiting, resolve: onWaiting } = Promise.withResolvers<string>();
  const onProgress = (line: string) => line.includes("waits for a lock") && onWaiting(line);
  const applied = applyMigrations(url, { migrations, onProgress, lockTimeoutMs: 200 });
  expect(await waiting).toMatch(
    /: process \d+ .* is in a transaction since \d+ s\. It is tried again/,
  );
  // The migration waits between two attempts, so a reader is not queued behind it.
  await sql.query("SET statement_timeout = 2000; SELECT count(*) FROM account");
  await holder.query("COMMIT");
  holder.release();
  expect(await applied).toEqual(["29990101000000_test"]);
});

it("gives up after a while and names the transaction that holds the lock", async () => {
  const { url, sql } = await openDatabase("migrated");
  const holder = await sql.connect();
  await holder.query("BEGIN; LOCK TABLE account");
  const migrations = [
    { name: "29990101000000_test", sql: "ALTER TABLE account ADD COLUMN test int;" },
  ];
  await expect(
    applyMigrations(url, { migrations, lockTimeoutMs: 50, giveUpAfterMs: 100 }),
  ).rejects.toThrow(
    /got no lock within 0 s: process \d+ .* End that transaction, then migrate again/,
  );
  await holder.query("ROLLBACK");
  holder.release();
});

const concurrentIndex = {
  name: "29990101000000_index",
  sql: `-- A comment.\nCREATE INDEX CONCURRENTLY "test_index"\n  ON "account" ("name");\n`,
};

it("builds an index concurrently, also while another process waits to migrate", async () => {
  const { url, sql } = await openDatabase("migrated");
  const runs = await Promise.all([
    applyMigrations(url, { migrations: [concurrentIndex] }),
    applyMigrations(url, { migrations: [concurrentIndex] }),
  ]);
  expect(runs.flat()).toEqual([concurrentIndex.name]);
  const { rows } = await sql.query(
    "SELECT indisvalid FROM pg_index WHERE indexrelid = 'test_index'::regclass",
  );
  expect(rows).toEqual([{ indisvalid: true }]);
});

it("replaces the invalid index of an interrupted build", async () => {
  const { url, sql } = await openDatabase("migrated");
  const names = ["one", "one", "two"];
  for (const name of names) {
    await sql.query("INSERT INTO account (id, name) VALUES (gen_random_uuid(), $1)", [name]);
  }
  const unique = {
    name: "29990101000000_index",
    sql: `CREATE UNIQUE INDEX CONCURRENTLY "test_index" ON "account" ("name");`,
  };
  // The build fails and leaves an invalid index, as a killed process does.
  await expect(applyMigrations(url, { migrations: [unique] })).rejects.toThrow("could not create");
  await sql.query("UPDATE account SET name = id::text");
  expect(await applyMigrations(url, { migrations: [unique] })).toEqual([unique.name]);
  const { rows } = await sql.query(
    "SELECT indisvalid FROM pg_index WHERE indexrelid = 'test_index'::regclass",
  );
  expect(rows).toEqual([{ indisvalid: true }]);
});

it("refuses other statements beside a concurrent index", async () => {
  const { url } = await openDatabase("migrated");
  const migrations = [
    { ...concurrentIndex, sql: `${concurrentIndex.sql}ALTER TABLE account ADD COLUMN a int;` },
  ];
  await expect(applyMigrations(url, { migrations })).rejects.toThrow(
    "Move this to another migration: ALTER TABLE account",
  );
});

it("runs every migration with a lock timeout", async () => {
  const { url, sql } = await openDatabase("migrated");
  const migrations = [
    {
      name: "29990101000000_test",
      sql: "CREATE TABLE seen AS SELECT current_setting('lock_timeout') AS lock_timeout;",
    },
  ];
  await applyMigrations(url, { migrations });
  expect((await sql.query("SELECT * FROM seen")).rows).toEqual([{ lock_timeout: "1s" }]);
});

it("rewrites no table in a migration after the baseline", async () => {
  const { url, sql } = await openDatabase("empty");
  const all = await readMigrationFiles();
  await applyMigrations(url, { migrations: all.filter(({ name }) => name === baseline) });
  await sql.query(
    `CREATE FUNCTION refuse_rewrite() RETURNS event_trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'table % is rewritten', pg_event_trigger_table_rewrite_oid()::regclass; END $$;
     CREATE EVENT TRIGGER refuse_rewrite ON table_rewrite EXECUTE FUNCTION refuse_rewrite()`,
  );
  const rewrite = { name: "29990101000000_test", sql: "ALTER TABLE event SET UNLOGGED;" };
  await expect(applyMigrations(url, { migrations: [rewrite] })).rejects.toThrow("is rewritten");
  await applyMigrations(url, { migrations: all });
});
