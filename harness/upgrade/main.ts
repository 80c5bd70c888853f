import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { applyMigrations } from "@atelier/database";
import {
  createDatabaseFromTemplate,
  freePorts,
  startEmbeddedPostgres,
} from "@atelier/local-services";
import { processTuning, startProgram, type Program } from "@atelier/process";
import { createDevelopmentCertificates } from "@atelier/provenance";
import { run } from "../../apps/cli/src/run.ts";
import { startLoad } from "./load.ts";
import { checkOutRelease } from "./released-version.ts";
import { compareSchemas } from "./schema.ts";

/**
 * Upgrades from the last release while it serves: its API and worker run, the database is migrated, new
 * workers and then a new API start beside them, and the old ones stop last. Fails when a request fails, a job does not
 * show its last change, the audit reports a violation after `audit --repair`, or the schema differs from that of a new database.
 *
 * npm run test:upgrade -- [--from <commit of an earlier release>]
 */
const root = fileURLToPath(new URL("../..", import.meta.url));
/** Time under load of each combination of versions, in milliseconds. */
const phaseMs = 5_000;

const log = (line: string) => void process.stderr.write(`${line}\n`);
const secret = () => randomBytes(32).toString("base64url");

await using closing = new AsyncDisposableStack();
const directory = await mkdtemp(join(tmpdir(), "atelier-upgrade-"));
closing.defer(() => rm(directory, { recursive: true, force: true }));

const { values } = parseArgs({ options: { from: { type: "string" } } });
const release = await checkOutRelease(join(directory, "release"), values.from);
closing.defer(() => release.remove());
log(`The old version is ${release.commit.slice(0, 7)}.`);

const [postgresPort = 0] = await freePorts(1);
const postgres = await startEmbeddedPostgres({
  directory: join(directory, "postgres"),
  port: postgresPort,
  password: "upgrade",
});
closing.defer(() => postgres.stop());
for (const name of ["upgraded", "fresh"]) {
  await createDatabaseFromTemplate(postgres.url("postgres"), name, "template0");
}
const databaseUrl = postgres.url("upgraded");

const certificates = await createDevelopmentCertificates();
const storage = join(directory, "storage");
await mkdir(storage);
const { PATH = "", HOME = "" } = process.env;
const environment = {
  PATH,
  HOME,
  ...processTuning,
  DATABASE_URL: databaseUrl,
  STORAGE_URL: `file:${storage}`,
  PUBLIC_URL: "http://127.0.0.1:1",
  URL_SIGNING_SECRET: secret(),
  KEY_PEPPER: secret(),
  WATERMARK_SECRET: secret(),
  ADMIN_KEY: secret(),
  HOST: "127.0.0.1",
  PORT: "0",
  ADMIN_PORT: "0",
  SIGNING_CERTIFICATE_CHAIN: certificates.certificateChainPem,
  SIGNING_PRIVATE_KEY: certificates.privateKeyPem,
  SIGNING_TRUST_ANCHORS: certificates.rootPem,
  GENERATIONS_PER_MINUTE: "100000",
  OTHER_REQUESTS_PER_MINUTE: "100000",
};

async function start(version: "old" | "new", kind: "api" | "worker"): Promise<Program> {
  const name = `${version}-${kind}`;
  const program = await startProgram({
    name,
    script: join(version === "old" ? release.directory : root, `apps/${kind}/src/main.ts`),
    environment,
    logFile: join(directory, `${name}.log`),
    readyTimeoutMs: 120_000,
  });
  closing.defer(async () => void (await program.stop()));
  log(`  ${name} serves`);
  return program;
}

/** Prepares the database by the code of the last release, as its operator did; returns the account's key. */
async function prepareOld(): Promise<string> {
  const keyFile = join(directory, "key");
  const program = await startProgram({
    name: "old preparation",
    script: join(root, "harness/upgrade/prepare-old.ts"),
    environment: { ...environment, RELEASE: release.directory, KEY_FILE: keyFile },
    logFile: join(directory, "old-preparation.log"),
    readyTimeoutMs: 120_000,
  });
  await program.stop();
  return readFile(keyFile, "utf8");
}

const key = await prepareOld();

const oldWorker = await start("old", "worker");
const oldApi = await start("old", "api");
const load = await startLoad({ key, apis: [urlOf(oldApi)], clients: 3 });
await delay(phaseMs);

log("Migrating while the old version serves");
const startedAt = performance.now();
const applied = await applyMigrations(databaseUrl, { onProgress: (line) => log(`  ${line}`) });
log(`  ${applied.length} migrations in ${Math.round(performance.now() - startedAt)} ms`);
await delay(phaseMs);

log("Replacing the workers, then the API");
const newWorker = await start("new", "worker");
await delay(phaseMs);
await oldWorker.stop();
const newApi = await start("new", "api");
load.useApis([urlOf(oldApi), urlOf(newApi)]);
await delay(phaseMs);
load.useApis([urlOf(newApi)]);
await oldApi.stop();
await delay(phaseMs);
const outcome = await load.stop();
await newApi.stop();
await newWorker.stop();

const problems = [...outcome.problems];
if (outcome.images === 0) problems.push("No image was made.");
await applyMigrations(postgres.url("fresh"));
problems.push(...(await compareSchemas(postgres.url("upgraded"), postgres.url("fresh"))));
let audit = "";
const exitCode = await run(["audit", "--repair", "--hash", "1"], {
  environment: { DATABASE_URL: databaseUrl, STORAGE_URL: environment.STORAGE_URL },
  stdout: { write: (text: string) => (audit += text) },
  stderr: { write: (text: string) => (audit += text) },
  onInterruption: () => new AbortController().signal,
});
if (exitCode !== 0) problems.push(`The audit failed:\n${audit}`);

log(
  `${outcome.images} images, the longest request took ${Math.round(outcome.longestMs)} ms. ${audit.split("\n")[0]}`,
);
for (const problem of problems) log(`PROBLEM: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

function urlOf({ ports }: Program): string {
  return `http://127.0.0.1:${ports.main}`;
}
