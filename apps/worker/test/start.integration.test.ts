import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "@atelier/configuration";
import { createDevelopmentCertificates, type DevelopmentCertificates } from "@atelier/provenance";
import { createTestDatabase, type TestDatabase } from "@atelier/test-services";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { workerConfig } from "../src/config.ts";
import { startWorker } from "../src/start-worker.ts";

let database: TestDatabase;
let directory: string;
let taken: Server;
let certificates: DevelopmentCertificates;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  directory = await mkdtemp(join(tmpdir(), "atelier-start-"));
  certificates = await createDevelopmentCertificates();
  taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
});

afterAll(async () => {
  taken.close();
  await rm(directory, { recursive: true });
  await database.drop();
});

/** Starts a worker with settings of which one is wrong; what it says of it. */
async function complaintOf(settings: Readonly<Record<string, string>>): Promise<string> {
  const config = parseConfig(workerConfig, {
    DATABASE_URL: database.url,
    STORAGE_URL: `file:${directory}`,
    PUBLIC_URL: "http://localhost",
    KEY_PEPPER: "a pepper of thirty-two characters",
    URL_SIGNING_SECRET: "a secret of thirty-two characters",
    SIGNING_CERTIFICATE_CHAIN: certificates.certificateChainPem,
    SIGNING_PRIVATE_KEY: certificates.privateKeyPem,
    SIGNING_TRUST_ANCHORS: certificates.rootPem,
    WORKER_THREADS: "1",
    LOG_LEVEL: "fatal",
    ...settings,
  });
  return startWorker(config).then(
    () => "it started",
    ({ name, message }: Error) => `${name} · ${message}`,
  );
}

it("a start that fails says in a line which setting is to be looked at", async () => {
  const { port } = taken.address() as AddressInfo;
  const others = await createDevelopmentCertificates();
  expect(await complaintOf({ WORKER_LANES: "builtin, paintings" })).toBe(
    'ConfigError · WORKER_LANES: there is no lane "paintings". Known: builtin.',
  );
  expect(await complaintOf({ SIGNING_TRUST_ANCHORS: others.rootPem })).toMatch(
    /^StartError · SIGNING_CERTIFICATE_CHAIN, SIGNING_PRIVATE_KEY, SIGNING_TRUST_ANCHORS: .*signingCredential\.untrusted$/,
  );
  expect(await complaintOf({ DATABASE_URL: "postgres://127.0.0.1:1/atelier" })).toBe(
    "StartError · DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1",
  );
  const admin = { WORKER_ADMIN_HOST: "127.0.0.1", WORKER_ADMIN_PORT: String(port) };
  expect(await complaintOf(admin)).toBe(
    `StartError · WORKER_ADMIN_PORT, WORKER_ADMIN_HOST: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
  );
});
