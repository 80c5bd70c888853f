import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beginErasure, createAccount, createKey } from "@atelier/accounts";
import { topUp } from "@atelier/billing";
import { createDatabase, newId, type Database } from "@atelier/database";
import { acceptGeneration } from "@atelier/generations/accept";
import { archiveJobs } from "@atelier/generations/archive";
import { eraseAccount } from "@atelier/generations/erase";
import { makeImagePlan } from "@atelier/generations/testing";
import { createTestDatabase } from "@atelier/local-services";
import { erasureKey } from "@atelier/schemas";
import { createStorage, type Storage } from "@atelier/storage";
import { findPlanted, killAt, plantAccount, unlessKilled } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { run } from "../run.ts";

/** Steps between two interruptions: one when everything is tested, else few enough steps for each change. */
const stride = process.env["ATELIER_TEST_LANE"] === "full" ? 1 : 12;

const role = `dump_${randomBytes(4).toString("hex")}`;
const openDatabases: { database: Database; drop: () => Promise<void> }[] = [];
const openStorages: Storage[] = [];

let directory: string;
let database: Database;
let storage: Storage;
/** Of a role that may not copy the files of the server, so that backups have a dump. */
let environment: Record<string, string>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-erasures-"));
  let url: string;
  ({ database, url } = await openDatabase());
  await database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'password'`);
  await database.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
  const dumped = new URL(url);
  dumped.username = role;
  dumped.password = "password";
  storage = await openStorage("storage");
  environment = { DATABASE_URL: dumped.href, STORAGE_URL: urlOf("storage") };
  await installDump();
});

afterAll(async () => {
  await database.query(`DROP OWNED BY ${role}`);
  await database.query(`DROP ROLE ${role}`);
  for (const opened of openStorages) await opened.close();
  for (const { database: opened, drop } of openDatabases) {
    await opened.close();
    await drop();
  }
  await rm(directory, { recursive: true, force: true });
});

const urlOf = (name: string) => pathToFileURL(join(directory, name)).href;

async function openDatabase(): Promise<{ database: Database; url: string }> {
  const created = await createTestDatabase(inject("postgresUrl"));
  const opened = createDatabase({ url: created.url, poolSize: 2, applicationName: "test" });
  openDatabases.push({ database: opened, drop: () => created.drop() });
  return { database: opened, url: created.url };
}

async function openStorage(name: string): Promise<Storage> {
  const opened = await createStorage({
    url: urlOf(name),
    publicUrl: "http://localhost",
    signingSecret: "a secret that is only for tests and long enough",
  });
  openStorages.push(opened);
  return opened;
}

const pipe = (name: "started" | "continued") => join(directory, name);

/** Makes a pg_dump that says when it is started, and waits. */
async function installDump(): Promise<void> {
  const folder = join(directory, "tools");
  await mkdir(folder);
  for (const name of ["started", "continued"] as const) {
    await promisify(execFile)("mkfifo", [pipe(name)]);
  }
  const script = `#!/bin/sh
[ "$1" = --version ] && { echo "pg_dump (PostgreSQL) 18.1"; exit 0; }
echo > ${pipe("started")}
read -r line < ${pipe("continued")}
for argument; do case "$argument" in --file=*) echo "a dump" > "\${argument#--file=}";; esac; done
`;
  await writeFile(join(folder, "pg_dump"), script, { mode: 0o755 });
}

async function atelier(on: Record<string, string>, ...args: string[]) {
  let output = "";
  const write = (text: string) => (output += text);
  const exitCode = await run(args, {
    environment: on,
    stdout: { write },
    stderr: { write },
    onInterruption: () => new AbortController().signal,
  });
  return { exitCode, output };
}

/** Backs up, and runs `duringDump` after files were copied, and before they are copied again. */
async function backUp(duringDump: () => Promise<void>): Promise<string> {
  const folder = join(directory, newId());
  vi.stubEnv("PATH", [join(directory, "tools"), process.env["PATH"]].join(delimiter));
  const done = atelier(environment, "backup", folder);
  await Promise.race([readFile(pipe("started")), done.then(({ output }) => expect.fail(output))]);
  await duringDump();
  await writeFile(pipe("continued"), "\n");
  expect(await done).toMatchObject({ exitCode: 0 });
  return folder;
}

/** Copies all rows of the database into another one, as a dump and its restore do. */
async function copyRows(target: Database): Promise<void> {
  const tables = await database.query<{ table: string; columns: string }>(
    `SELECT quote_ident(table_name) AS table, string_agg(quote_ident(column_name), ', ') AS columns
       FROM information_schema.columns JOIN pg_tables ON tablename = table_name AND schemaname = table_schema
      WHERE table_schema = 'public' AND table_name NOT LIKE '\\_%' AND is_generated = 'NEVER' GROUP BY 1`,
  );
  await target.transaction(async (sql) => {
    // Skips foreign keys and the triggers of the ledger.
    await sql.query("SET LOCAL session_replication_role = replica");
    for (const { table, columns } of tables) {
      const [copied] = await database.query<{ rows: string | null }>(
        `SELECT json_agg(${table})::text AS rows FROM ${table}`,
      );
      await sql.query(
        `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
         SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1) ON CONFLICT DO NOTHING`,
        [copied?.rows ?? "[]"],
      );
    }
  });
}

/** A restored installation, with a storage of its own. */
async function openTarget(name: string) {
  const { database: target, url } = await openDatabase();
  return { target, environment: { DATABASE_URL: url, STORAGE_URL: urlOf(name) } };
}

async function erase(
  stores: { readonly database: Database; readonly storage: Storage },
  accountId: string,
): Promise<void> {
  await eraseAccount(stores.database, stores.storage, accountId, () => undefined);
}

/** A month after which no job is archived: the one before ended at least 31 days ago. */
const before = new Date(Date.now() - 31 * 86_400_000).toISOString().slice(0, 7);

describe("a backup that is made while an account is erased", { timeout: 600_000 }, () => {
  it("has none of its words once it is restored, at whatever step the database was copied", async () => {
    const stores = { database, storage };
    for (let step = 0; ; step += stride) {
      const planted = await plantAccount(stores);
      const { accountId } = planted;
      // Every second erasure changes the archive.
      if (step % 2 === 0) await archiveJobs(stores, { before, withTexts: true });
      const name = `restored-${step}`;
      const { target, environment: restored } = await openTarget(name);
      const killed = killAt(stores, step);
      const backup = await backUp(async () => {
        await unlessKilled(erase(killed.stores, accountId));
        // The lease of a process that was killed expires.
        await database.query("UPDATE recurring_task SET next_turn_at = now()");
        await copyRows(target);
        await erase(stores, accountId);
      });
      const { output } = await atelier(restored, "after-restore", backup);
      expect(output).toMatch(/^(Erased again: |Not erased yet: |No account had to be erased)/m);
      const found = { database: target, storage: await openStorage(name) };
      expect(await findPlanted(found, planted)).toEqual([]);
      expect(
        await target.query("SELECT FROM account WHERE id = $1 AND erased_at IS NOT NULL", [
          accountId,
        ]),
      ).toHaveLength(1);
      if (!killed.isMet()) break;
    }
  });
});

describe("an account that was erased after the backup", { timeout: 120_000 }, () => {
  /** Adds an account with a key and an unfinished job. */
  async function addAccount(target: Database): Promise<{ accountId: string; jobId: string }> {
    const accountId = await createAccount(target, { name: "Jane Doe" });
    await topUp(target, { accountId, amountMicroEur: 1_000_000n });
    const pepper = "a pepper that is long enough for a test";
    const { id: keyId } = await createKey(target, { accountId, name: "test", pepper });
    const { generationId: jobId } = await acceptGeneration(target, {
      accountId,
      keyId,
      plan: makeImagePlan({ model: "test-model", lane: "test-lane" }),
      deadlineMs: 3_600_000,
      maxUnfinishedJobs: 10,
      idempotency: null,
    });
    return { accountId, jobId };
  }

  const read = async (target: Database, accountId: string) => {
    const [account] = await target.query<object>(
      `SELECT name, suspended_at IS NOT NULL AS "isSuspended", erased_at IS NOT NULL AS "isErased",
              unfinished_jobs AS "unfinishedJobs", held_micro_eur::int AS held
         FROM account WHERE id = $1`,
      [accountId],
    );
    return account;
  };
  const erased = {
    name: "erased",
    isSuspended: true,
    isErased: true,
    unfinishedJobs: 0,
    held: 0,
  };

  /** Writes the record of another place, as an erasure does. */
  async function record(name: string, accountId: string): Promise<void> {
    const other = await openStorage(name);
    const bytes = Buffer.from(JSON.stringify({ account_id: accountId, erased_at: "2026-12-01" }));
    await other.put(erasureKey(accountId), bytes, { contentType: "application/json" });
  }

  it("fails the audit, and after-restore cancels its jobs and erases it again", async () => {
    const { target, environment: restored } = await openTarget("kept-storage");
    const { accountId } = await addAccount(target);
    const { accountId: other } = await addAccount(target);
    await record("kept-storage", accountId);
    await record("kept-storage", newId());
    const audited = await atelier(restored, "audit");
    expect(audited.exitCode).toBe(1);
    expect(audited.output).toContain(
      JSON.stringify({ account: accountId, problem: "recorded, and not erased" }),
    );
    expect(audited.output).toContain(
      "To repair: npm run atelier -- accounts repeat-erasures --yes",
    );
    const { exitCode, output } = await atelier(restored, "after-restore");
    expect(output).toContain(`Erased again: ${accountId}.`);
    expect(output).toContain("All invariants hold.");
    expect(exitCode).toBe(0);
    expect(await read(target, accountId)).toEqual(erased);
    expect(await read(target, other)).toMatchObject({ isErased: false, unfinishedJobs: 1 });
    expect(await atelier(restored, "accounts", "repeat-erasures", "--yes")).toEqual({
      exitCode: 0,
      output: "No account had to be erased again.\n",
    });
  });

  it.each([
    ["a newer backup", "backup/images", "backup"],
    ["an old ATELIER_HOME", "home/files", "home"],
    ["a folder of a storage", "old-storage", "old-storage"],
  ])(
    "is erased again with the records of %s, which the storage has from then on",
    async (_case, recorded, place) => {
      const name = `beside-${place}`;
      await openStorage(name);
      const { target, environment: restored } = await openTarget(name);
      const { accountId } = await addAccount(target);
      await record(recorded, accountId);
      const args = ["accounts", "repeat-erasures", "--erasures", join(directory, place)];
      expect(await atelier(restored, ...args)).toMatchObject({ exitCode: 1 });
      expect(await read(target, accountId)).toMatchObject({ isSuspended: false });
      const { exitCode, output } = await atelier(restored, ...args, "--yes");
      expect([output, exitCode]).toEqual([`Erased again: ${accountId}.\n`, 0]);
      expect(await read(target, accountId)).toEqual(erased);
      expect(await readFile(join(directory, name, erasureKey(accountId)), "utf8")).toContain(
        "2026-12-01",
      );
    },
  );

  it("is suspended and named while its image is being made, and the audit fails until it is erased", async () => {
    const { target, environment: restored } = await openTarget("unfinished-storage");
    const { accountId, jobId } = await addAccount(target);
    await record("unfinished-storage", accountId);
    await target.query("UPDATE render SET status = 'running' WHERE generation_id = $1", [jobId]);
    const args = ["accounts", "repeat-erasures", "--yes"];
    const first = await atelier(restored, ...args);
    expect(first.exitCode).toBe(1);
    expect(first.output).toContain(`Not erased yet: ${accountId}. They are suspended`);
    expect(await read(target, accountId)).toMatchObject({ isSuspended: true, isErased: false });
    expect(await atelier(restored, "audit")).toMatchObject({ exitCode: 1 });
    await target.query("UPDATE render SET status = 'ready' WHERE generation_id = $1", [jobId]);
    expect(await atelier(restored, ...args)).toMatchObject({ exitCode: 0 });
    expect(await read(target, accountId)).toEqual(erased);
    expect(await atelier(restored, "audit")).toMatchObject({ exitCode: 0 });
  });

  it("has its job cancelled by after-restore although the database has the image as being made", async () => {
    const { target, environment: restored } = await openTarget("running-storage");
    const { accountId, jobId } = await addAccount(target);
    await record("running-storage", accountId);
    await target.query(
      `UPDATE render SET status = 'running', attempt = 1, claim_id = uuidv7(), claimed_at = now()
        WHERE generation_id = $1`,
      [jobId],
    );
    const { exitCode, output } = await atelier(restored, "after-restore");
    expect(output).toContain(`Erased again: ${accountId}.`);
    expect(output).toContain("All invariants hold.");
    expect(exitCode).toBe(0);
    expect(await read(target, accountId)).toEqual(erased);
    expect(
      await target.query(
        `SELECT generation.status, render.status AS render, charged_micro_eur::int AS charge
           FROM generation JOIN render ON generation_id = generation.id WHERE account_id = $1`,
        [accountId],
      ),
    ).toEqual([{ status: "cancelled", render: "cancelled", charge: null }]);
  });

  it("fails after-restore until a file that is being copied is removed, although the audit passes", async () => {
    const { target, environment: restored } = await openTarget("copying-storage");
    const { accountId } = await addAccount(target);
    await record("copying-storage", accountId);
    await target.query(
      `INSERT INTO kept_file
              (storage_key, item_id, account_id, format, source_key, sha256, size_bytes, width, height, deleted_at)
       VALUES ('kept/copied.webp', uuidv7(), $1, 'webp', 'copied.webp', repeat('0', 64), 1, 1, 1, now())`,
      [accountId],
    );
    const { exitCode, output } = await atelier(restored, "after-restore");
    expect(output).toContain("All invariants hold.");
    expect(output).toContain(`Not erased yet: ${accountId}. They are suspended`);
    expect(exitCode).toBe(1);
    await target.query("UPDATE kept_file SET deleted_at = now() - interval '1 day'");
    expect(await atelier(restored, "after-restore")).toMatchObject({ exitCode: 0 });
  });

  it("fails the audit an hour after it was erased without a record, until repeat-erasures records it", async () => {
    const { target, environment: restored } = await openTarget("unrecorded-storage");
    await openStorage("unrecorded-storage");
    const accountId = await createAccount(target, { name: "Jane Doe" });
    expect(await beginErasure(target, accountId)).toMatchObject({ kind: "begun" });
    expect(await atelier(restored, "audit")).toMatchObject({ exitCode: 0 });
    await target.query("UPDATE account SET erased_at = now() - interval '61 minutes'");
    const { exitCode, output } = await atelier(restored, "audit");
    expect(output).toContain(
      JSON.stringify({ account: accountId, problem: "erased, and not recorded" }),
    );
    expect(exitCode).toBe(1);
    await atelier(restored, "accounts", "repeat-erasures", "--yes");
    expect(await atelier(restored, "audit")).toMatchObject({ exitCode: 0 });
  });

  it("is named by a restore without other records as unknown", async () => {
    const backup = await backUp(() => Promise.resolve());
    const { environment: restored } = await openTarget("fresh-storage");
    const { created_at: createdAt } = JSON.parse(
      await readFile(join(backup, "manifest.json"), "utf8"),
    ) as { created_at: string };
    const without = await atelier(restored, "after-restore", backup);
    expect(without.output).toContain(`An account that was erased after ${createdAt} is back`);
    const place = join(directory, "storage");
    const withRecords = await atelier(restored, "after-restore", backup, "--erasures", place);
    expect(withRecords.output).not.toContain("is back");
  });

  it("needs a place that can have records", async () => {
    const { environment: restored } = await openTarget("storage");
    const { exitCode, output } = await atelier(restored, "after-restore", "--erasures", directory);
    expect(output).toContain(`${directory} has no records of erasures. Name an old ATELIER_HOME`);
    expect(exitCode).toBe(1);
  });
});
