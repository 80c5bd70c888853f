import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig, StartError } from "@atelier/configuration";
import { createTestDatabase, type TestDatabase } from "@atelier/test-services";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { apiConfig } from "../src/config.ts";
import { startApi } from "../src/start-api.ts";

let database: TestDatabase;
let directory: string;
let taken: Server;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  directory = await mkdtemp(join(tmpdir(), "atelier-start-"));
  taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
});

afterAll(async () => {
  taken.close();
  await rm(directory, { recursive: true });
  await database.drop();
});

/** Starts an API with settings of which one is wrong; what it says of it. */
async function complaintOf(settings: Readonly<Record<string, string>>): Promise<string> {
  const config = parseConfig(apiConfig, {
    DATABASE_URL: database.url,
    STORAGE_URL: `file:${directory}`,
    PUBLIC_URL: "http://localhost",
    KEY_PEPPER: "a pepper of thirty-two characters",
    URL_SIGNING_SECRET: "a secret of thirty-two characters",
    LOG_LEVEL: "fatal",
    HOST: "127.0.0.1",
    PORT: "0",
    ...settings,
  });
  const complaint: unknown = await startApi(config).catch((error: unknown) => error);
  if (complaint instanceof StartError) return complaint.message;
  throw new Error("it should not start", { cause: complaint });
}

it("a start that fails says in a line which setting is to be looked at", async () => {
  const { port } = taken.address() as AddressInfo;
  const closed = "127.0.0.1:1";
  const complaints = await Promise.all([
    complaintOf({ PORT: String(port) }),
    complaintOf({ HOST: "192.0.2.1" }),
    complaintOf({ ADMIN_KEY: "a".repeat(32), ADMIN_PORT: String(port) }),
    complaintOf({ DATABASE_URL: `postgres://me:hushed@${closed}/atelier` }),
    complaintOf({ QUEUE_URL: `postgres://me:hushed@${closed}/atelier` }),
    complaintOf({ QUEUE_URL: `redis://me:hushed@${closed}` }),
    complaintOf({ STORAGE_URL: `s3://key:hushed@${closed}/images?tls=false` }),
    complaintOf({ PROVIDERS_FILE: join(directory, "none") }),
    complaintOf({ CATALOGUE_FILE: join(directory, "none") }),
  ]);
  const line = (start: string) => expect.stringMatching(new RegExp(`^${start}.*$`));
  expect(complaints).toEqual([
    line(`PORT, HOST: listen EADDRINUSE: .*127\\.0\\.0\\.1:${port}`),
    line("PORT, HOST: listen EADDRNOTAVAIL: .*192\\.0\\.2\\.1"),
    line(`ADMIN_PORT, ADMIN_HOST: listen EADDRINUSE: .*${port}`),
    line("DATABASE_URL: connect ECONNREFUSED 127\\.0\\.0\\.1:1"),
    line("QUEUE_URL: connect ECONNREFUSED 127\\.0\\.0\\.1:1"),
    line("QUEUE_URL: connect ECONNREFUSED 127\\.0\\.0\\.1:1"),
    line("STORAGE_URL: .*ECONNREFUSED 127\\.0\\.0\\.1:1"),
    line("PROVIDERS_FILE: .*ENOENT"),
    line("CATALOGUE_FILE: .*ENOENT"),
  ]);
  expect(complaints.join()).not.toContain("hushed");
});
