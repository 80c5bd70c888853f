import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "@atelier/configuration";
import { createDevelopmentCertificates, type DevelopmentCertificates } from "@atelier/provenance";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { workerConfig } from "../src/config.ts";
import { startWorker } from "../src/start-worker.ts";

let database: TestDatabase;
let directory: string;
let portHolder: Server;
let certificates: DevelopmentCertificates;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  directory = await mkdtemp(join(tmpdir(), "atelier-start-"));
  certificates = await createDevelopmentCertificates();
  portHolder = createServer().listen(0, "127.0.0.1");
  await once(portHolder, "listening");
});

afterAll(async () => {
  portHolder.close();
  await rm(directory, { recursive: true });
  await database.drop();
});

/** Starts a worker with an invalid setting and returns its error output. */
async function errorOf(settings: Readonly<Record<string, string>>): Promise<string> {
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

it("names the invalid setting in one line when it fails to start", async () => {
  const { port } = portHolder.address() as AddressInfo;
  const others = await createDevelopmentCertificates();
  expect(await errorOf({ WORKER_LANES: "builtin, paintings" })).toBe(
    'ConfigError · WORKER_LANES: unknown lane "paintings". Known lanes: builtin, builtin-diagrams, builtin-test.',
  );
  expect(await errorOf({ SIGNING_TRUST_ANCHORS: others.rootPem })).toMatch(
    /^StartError · SIGNING_CERTIFICATE_CHAIN, SIGNING_PRIVATE_KEY, SIGNING_TRUST_ANCHORS: .*signingCredential\.untrusted$/,
  );
  const unknownRoleUrl = new URL(database.url);
  unknownRoleUrl.username = "stranger";
  expect(await errorOf({ DATABASE_URL: unknownRoleUrl.href })).toMatch(
    /^StartError · DATABASE_URL: .*"stranger"/,
  );
  const admin = { WORKER_ADMIN_HOST: "127.0.0.1", WORKER_ADMIN_PORT: String(port) };
  expect(await errorOf(admin)).toBe(
    `StartError · WORKER_ADMIN_PORT, WORKER_ADMIN_HOST: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
  );
});
