import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, type Database } from "@atelier/database";
import { createTotalsReader } from "@atelier/generations/jobs";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { fillHistory } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { runInTest } from "./testing/run-in-test.ts";

let testDatabase: TestDatabase;
const readTotals = createTotalsReader();
let database: Database;
let folder: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 2, applicationName: "test" });
  folder = await mkdtemp(join(tmpdir(), "atelier-maintenance-"));
  await fillHistory(database, { accounts: 1, generations: 3 });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
  await rm(folder, { recursive: true });
});

const operate = (...args: string[]) => runInTest(args, { DATABASE_URL: testDatabase.url });

it("records audits and backups, which metrics show", { concurrent: false }, async () => {
  const installed = await readTotals(database);
  expect(installed.auditViolations).toBe(0);
  expect(installed.lastBackupSeconds).toBe(installed.lastAuditSeconds);

  expect((await operate("audit")).code).toBe(0);
  expect((await operate("backup-done")).stdout).toContain("Recorded that a backup is complete.");
  const audited = await readTotals(database);
  expect(audited.lastAuditSeconds).toBeGreaterThan(installed.lastAuditSeconds);
  expect(audited.lastBackupSeconds).toBeGreaterThan(installed.lastBackupSeconds);

  await database.transaction(async (sql) => {
    await sql.query("SET LOCAL session_replication_role = replica");
    await sql.query("UPDATE account SET balance_micro_eur = balance_micro_eur + 1");
  });
  expect((await operate("audit")).code).toBe(1);
  const broken = await readTotals(database);
  expect(broken.auditViolations).toBeGreaterThan(0);
  expect(broken.lastAuditSeconds).toBe(audited.lastAuditSeconds);
});

it(
  "refuses to audit a schema without the migrations of this version, and says what to do",
  {
    concurrent: false,
  },
  async () => {
    await database.query(
      "DELETE FROM _prisma_migrations WHERE migration_name = '20261130010000_maintenance'",
    );
    await database.query("DROP TABLE maintenance");
    const { code, stdout } = await operate("audit");
    expect(code).toBe(1);
    expect(stdout).toContain(
      "lacks 1 migrations of this version, from 20261130010000_maintenance on",
    );
    expect(stdout).toContain("run npm run atelier -- migrate first");
    expect((await operate("backup-done")).stderr).toContain("The backup could not be recorded");
  },
);
