import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createDatabase, type Database } from "@atelier/database";
import { readBackfills, runBackfillBatch } from "@atelier/generations/retention";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { createDevelopmentCertificates } from "@atelier/provenance";
import { createStorage } from "@atelier/storage";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { runInTest } from "../testing/run-in-test.ts";

let testDatabase: TestDatabase;
let database: Database;
let folder: string;
let storageUrl: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 2, applicationName: "test" });
  folder = await mkdtemp(join(tmpdir(), "atelier-doctor-"));
  storageUrl = pathToFileURL(join(folder, "files")).href;
  const storage = await createStorage({
    url: storageUrl,
    publicUrl: "http://localhost",
    signingSecret: "a secret that is only for tests and long enough",
  });
  await storage.close();
  // As workers do.
  while ((await readBackfills(database)).some(({ finishedAt }) => finishedAt === null)) {
    await runBackfillBatch(database);
  }
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
  await rm(folder, { recursive: true });
});

interface Report {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly check: string;
    readonly ok: boolean;
    readonly problem: string | null;
  }[];
}

/** Runs the command, and returns its exit code and what is missing. */
async function examine(settings: Readonly<Record<string, string>>) {
  const environment = { DATABASE_URL: testDatabase.url, STORAGE_URL: storageUrl, ...settings };
  const { code, stdout, stderr } = await runInTest(["doctor", "--json"], environment);
  expect(stderr).toBe("");
  const { checks } = JSON.parse(stdout) as Report;
  const problems = checks.filter(({ ok }) => !ok);
  return { code, problems: new Map(problems.map(({ check, problem }) => [check, problem])) };
}

const secret = "a secret that is only for tests and long enough";

/** Everything but an address that this machine cannot have. */
async function complete(): Promise<Record<string, string>> {
  return {
    TRUSTED_PROXIES: "10.0.0.0/8",
    KEY_PEPPER: secret,
    URL_SIGNING_SECRET: secret,
    WATERMARK_SECRET: secret,
    TIME_STAMP_URL: "http://time.example.com",
    MODERATION: "openai",
    OPENAI_API_KEY: "sk-test",
    EUR_PER_USD: "0.92",
    JOB_RETENTION_DAYS: "90",
    METRICS_TOKEN: secret,
    ALERT_MAIL_TO: "operators@example.com",
  };
}

it(
  "lists what a fresh installation lacks, in the order of docs/production.md",
  {
    concurrent: false,
  },
  async () => {
    const { code, problems } = await examine({});
    expect(code).toBe(1);
    expect([...problems.keys()]).toEqual([
      "Address and TLS",
      "Secrets",
      "Certificate",
      "Time stamps",
      "Moderation",
      "Vendor keys",
      "Retention",
      "Backups",
      "The audit",
      "Alerts",
    ]);
    const { stdout } = await runInTest(["doctor"], { DATABASE_URL: testDatabase.url });
    expect(stdout).toMatch(
      /^MISSING {2}Time stamps\n {9}TIME_STAMP_URL is not set\.\n {9}Without/m,
    );
    expect(stdout).toContain("docs/production.md says what to do.");
  },
);

it(
  "finds eleven planted faults, and nothing else",
  {
    concurrent: false,
  },
  async () => {
    const settings = await complete();
    const development = await createDevelopmentCertificates();
    const chain = join(folder, "chain.pem");
    await writeFile(chain, development.certificateChainPem);
    await runInTest(["audit"], { DATABASE_URL: testDatabase.url });
    await runInTest(["backup-done"], { DATABASE_URL: testDatabase.url });
    const sound = await examine({ ...settings, SIGNING_CERTIFICATE_CHAIN_FILE: chain });
    expect([...sound.problems]).toEqual([
      ["Address and TLS", "PUBLIC_URL is not set."],
      [
        "Certificate",
        "The certificate is for development: public verifiers do not know its signer.",
      ],
    ]);

    await database.query(
      `UPDATE maintenance SET last_success_at = now() - interval '50 hours',
            problems = CASE task WHEN 'audit' THEN 2 ELSE 0 END`,
    );
    const listener = await database.listen({}, { connections: 100_000 });
    await database.query(
      "DELETE FROM _prisma_migrations WHERE migration_name = '20261130010000_maintenance'",
    );
    const { TIME_STAMP_URL: _1, WATERMARK_SECRET: _2, EUR_PER_USD: _3, ...rest } = settings;
    const { code, problems } = await examine({
      ...rest,
      PUBLIC_URL: "http://images.example.com",
      STORAGE_URL: pathToFileURL(join(folder, "nowhere")).href,
      SIGNING_CERTIFICATE_CHAIN_FILE: chain,
      ALERT_MAIL_TO: "",
    });
    await listener.close();
    expect(code).toBe(1);
    expect(Object.fromEntries(problems)).toEqual({
      "Address and TLS": "PUBLIC_URL has no TLS: set an https:// address.",
      "Address of the storage": expect.stringContaining("STORAGE_URL: "),
      Secrets: "WATERMARK_SECRET is not set.",
      Certificate: expect.stringContaining("for development"),
      "Time stamps": "TIME_STAMP_URL is not set.",
      Currency: "EUR_PER_USD is not set.",
      Connections: expect.stringMatching(/^The running programs may open 100000 connections/),
      Backups: "The last backup is 50 hours old.",
      "The audit": "The last audit found 2 violated invariants.",
      Alerts: "Neither ALERT_WEBHOOK_URL nor ALERT_MAIL_TO is set.",
      Updates: expect.stringContaining("lacks 1 migrations of this version"),
    });
  },
);
