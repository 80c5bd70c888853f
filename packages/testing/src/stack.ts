import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAccount, createKey } from "@atelier/accounts";
import { topUp } from "@atelier/billing";
import { withoutEmpty } from "@atelier/configuration";
import type { Program } from "@atelier/process";
import { createDatabase, type Database } from "@atelier/database";
import { createDevelopmentCertificates } from "@atelier/provenance";
import { parseEur } from "@atelier/schemas";
import { createTestDatabase, freePorts } from "@atelier/local-services";
import sharp from "sharp";
import { fakeModels, fakeProviders } from "./fake-provider/catalogue.ts";
import { startFakeProvider, type FakeProviderServer } from "./fake-provider/server.ts";
import { startProgramHere } from "./start-program-here.ts";
import { startTestProgram } from "./start-test-program.ts";

export interface StackOptions {
  /** A Postgres server; the stack has a database of its own on it. */
  readonly postgresUrl: string;
  /** A pooler in front of that server, which the programs use; they connect directly when left out. */
  readonly poolerUrl?: string | null;
  /** A Redis for the queues; the stack's database when left out. */
  readonly redisUrl?: string | null;
  /** An S3 bucket; files when left out. */
  readonly s3Url?: string | null;
  readonly workers?: number;
  /** Called with the migrated database before the programs start. */
  readonly prepare?: (database: Database) => Promise<void>;
  /** Folder for its files, which are removed with the stack; that of the system by default. */
  readonly directory?: string;
  /**
   * Whether API and workers are processes of their own, as in production: for suites that kill, freeze or
   * signal them, or whose settings concern the process. ATELIER_TEST_LANE=full makes all of them
   * processes. False by default.
   */
  readonly processes?: boolean;
  /** Main file of the workers, which are processes, from the root of the repository; one with fake providers by default. */
  readonly workerEntry?: string;
  /** Overrides of the test settings. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface TestAccount {
  readonly accountId: string;
  readonly keyId: string;
  readonly key: string;
}

/** The whole service on the services of a test run. */
export interface Stack {
  readonly url: string;
  readonly adminUrl: string;
  /** URL of the queue store. */
  readonly queueUrl: string;
  /** Environment of its programs. */
  readonly environment: Readonly<Record<string, string>>;
  readonly adminKey: string;
  readonly database: Database;
  readonly trustAnchorsPem: string;
  readonly provider: FakeProviderServer;
  readonly api: Program;
  readonly workers: Program[];
  /** Creates an account with credit and a key. */
  createAccount(creditEur?: string): Promise<TestAccount>;
  /** Gives credit and a key to an account. */
  giveCredit(accountId: string, creditEur: string): Promise<TestAccount>;
  /** Sends a request with a key; a body is sent as JSON. */
  request(
    account: Pick<TestAccount, "key">,
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  startWorker(environment?: Readonly<Record<string, string>>): Promise<Program>;
  startApi(environment?: Readonly<Record<string, string>>): Promise<Program>;
  stop(): Promise<void>;
}

const compileCache = fileURLToPath(
  new URL("../../../node_modules/.cache/node-compile", import.meta.url),
);

const secret = "a secret that is only for tests and long enough";

/** A marking thread for each core, as in production: for what measures a worker, or needs images marked at once. */
export const threadPerCore = { WORKER_THREADS: "" };

/** Stacks with the same certificates share the threads that mark images. */
let sharedCertificates: ReturnType<typeof createDevelopmentCertificates> | undefined;

/** Starts an API, workers with the built-in and two fake providers, and what they need. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const processes =
    options.processes === true ||
    options.workerEntry !== undefined ||
    process.env["ATELIER_TEST_LANE"] === "full";
  const directory = await mkdtemp(join(options.directory ?? tmpdir(), "atelier-stack-"));
  const testDatabase = await createTestDatabase(options.postgresUrl);
  const pooled =
    options.poolerUrl == null ? null : sameDatabase(options.poolerUrl, testDatabase.url);
  const [port = 0, adminPort = 0] = await freePorts(2);
  const provider = await startFakeProvider(await fakeImage());
  const certificates = await (sharedCertificates ??= createDevelopmentCertificates());
  const catalogueFile = join(directory, "catalogue.json");
  await writeFile(catalogueFile, JSON.stringify(fakeModels("fake-blind", "fake-resumable")));
  const providersFile = join(directory, "providers.json");
  await writeFile(providersFile, JSON.stringify(fakeProviders("fake-blind", "fake-resumable")));

  const url = `http://127.0.0.1:${port}`;
  const { PATH, HOME } = process.env;
  const environment: Record<string, string> = {
    ...withoutEmpty({ PATH, HOME }),
    // Compiling is half of the cost of a start, and tests start dozens of programs.
    NODE_COMPILE_CACHE: compileCache,
    DATABASE_URL: pooled ?? testDatabase.url,
    ...(pooled === null ? {} : { DATABASE_DIRECT_URL: testDatabase.url }),
    // All test files share a Redis, and their queues have the same names.
    ...(options.redisUrl == null ? {} : { QUEUE_URL: withOwnPrefix(options.redisUrl) }),
    STORAGE_URL: options.s3Url ?? `file:${join(directory, "storage")}`,
    PUBLIC_URL: url,
    URL_SIGNING_SECRET: secret,
    KEY_PEPPER: secret,
    CATALOGUE_FILE: catalogueFile,
    PROVIDERS_FILE: providersFile,
    PORT: String(port),
    HOST: "127.0.0.1",
    ADMIN_PORT: String(adminPort),
    ADMIN_KEY: secret,
    SIGNING_CERTIFICATE_CHAIN: certificates.certificateChainPem,
    SIGNING_PRIVATE_KEY: certificates.privateKeyPem,
    SIGNING_TRUST_ANCHORS: certificates.rootPem,
    FAKE_PROVIDER_URL: provider.url,
    // Seconds instead of a minute, so that a test can wait for recovery. Only a process can be killed or
    // frozen, and a busy machine extends the shorter lock too late.
    WORKER_LOCK_SECONDS: options.processes === true ? "2" : "10",
    RECOVERY_INTERVAL_SECONDS: "0.3",
    RECOVERY_AFTER_SECONDS: "2",
    WORKER_DRAIN_SECONDS: "30",
    // Calls that a test holds must not time out on a busy machine.
    PROVIDER_TIMEOUT_SECONDS: "60",
    // To start a second thread takes a second, and few tests mark two images at once.
    WORKER_THREADS: "1",
    ...options.environment,
  };

  const startProgram = processes ? startTestProgram : startProgramHere;
  const workers: Program[] = [];
  const apis: Program[] = [];
  let started = 0;
  const startApi = async (extra: Readonly<Record<string, string>> = {}) => {
    const program = await startProgram({
      entry: processes ? "apps/api/src/main.ts" : "apps/api/test/api-program.ts",
      environment: { ...environment, ...extra },
      directory,
      name: `api-${started++}`,
    });
    apis.push(program);
    return program;
  };
  const startWorker = async (extra: Readonly<Record<string, string>> = {}) => {
    const program = await startProgram({
      entry: options.workerEntry ?? "apps/worker/test/fake-provider-worker.ts",
      environment: { ...environment, ...extra },
      directory,
      name: `worker-${started++}`,
    });
    workers.push(program);
    return program;
  };
  const database = createDatabase({
    url: testDatabase.url,
    poolSize: 5,
    applicationName: "test",
    onConnectionError: () => undefined,
  });
  await options.prepare?.(database);
  const [api] = await Promise.all([
    startApi(),
    ...Array.from({ length: options.workers ?? 1 }, () => startWorker()),
  ]);

  async function giveCredit(accountId: string, creditEur: string): Promise<TestAccount> {
    const amountMicroEur = parseEur(creditEur);
    if (amountMicroEur > 0n) await topUp(database, { accountId, amountMicroEur });
    const { id, key } = await createKey(database, {
      accountId,
      name: "test",
      pepper: environment["KEY_PEPPER"] ?? secret,
    });
    return { accountId, keyId: id, key };
  }

  return {
    url,
    queueUrl: environment["QUEUE_URL"] ?? testDatabase.url,
    environment,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    adminKey: secret,
    database,
    trustAnchorsPem: certificates.rootPem,
    provider,
    api,
    workers,
    startWorker,
    startApi,
    async createAccount(creditEur = "10") {
      return giveCredit(await createAccount(database, { name: "test" }), creditEur);
    },
    giveCredit,
    request: ({ key }, method, path, body, headers) =>
      fetch(url + path, {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    async stop() {
      await Promise.all([...apis, ...workers].map((program) => program.stop()));
      await provider.stop();
      await database.close();
      await testDatabase.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function withOwnPrefix(redisUrl: string): string {
  return `${redisUrl}${redisUrl.includes("?") ? "&" : "?"}prefix=${crypto.randomUUID()}`;
}

/** The database of the second URL on the server of the first. */
function sameDatabase(serverUrl: string, databaseUrl: string): string {
  const url = new URL(serverUrl);
  url.pathname = new URL(databaseUrl).pathname;
  return url.href;
}

/** A small photo-like PNG: noise, so that nothing compresses it away. */
function fakeImage(edge = 256): Promise<Uint8Array> {
  return sharp({
    create: {
      width: edge,
      height: edge,
      channels: 3,
      background: "#345",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
}
