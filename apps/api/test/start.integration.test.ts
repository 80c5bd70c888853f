import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigError, parseConfig, StartError } from "@atelier/configuration";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { forkProgram } from "@atelier/process";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { apiConfig } from "../src/config.ts";
import { startApi } from "../src/start-api.ts";

let database: TestDatabase;
let directory: string;
let portHolder: Server;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  directory = await mkdtemp(join(tmpdir(), "atelier-start-"));
  portHolder = createServer().listen(0, "127.0.0.1");
  await once(portHolder, "listening");
});

afterAll(async () => {
  portHolder.close();
  await rm(directory, { recursive: true });
  await database.drop();
});

/** A valid environment of an API with some settings replaced. */
function environmentWith(settings: Readonly<Record<string, string>>) {
  return {
    DATABASE_URL: database.url,
    STORAGE_URL: `file:${directory}`,
    PUBLIC_URL: "http://localhost",
    KEY_PEPPER: "a pepper of thirty-two characters",
    URL_SIGNING_SECRET: "a secret of thirty-two characters",
    LOG_LEVEL: "fatal",
    HOST: "127.0.0.1",
    PORT: "0",
    ...settings,
  };
}

/** Starts an API with an invalid setting and returns its error output. */
async function startErrorOf(settings: Readonly<Record<string, string>>): Promise<string> {
  const config = parseConfig(apiConfig, environmentWith(settings));
  const startError: unknown = await startApi(config).catch((error: unknown) => error);
  if (startError instanceof StartError || startError instanceof ConfigError)
    return startError.message;
  throw new Error("it should not start", { cause: startError });
}

it("a failed start names the setting to check in one line", async () => {
  const { port } = portHolder.address() as AddressInfo;
  const closed = "127.0.0.1:1";
  const unknownRoleUrl = new URL(database.url);
  unknownRoleUrl.username = "stranger";
  unknownRoleUrl.password = "hushed";
  const errors = await Promise.all([
    startErrorOf({ PORT: String(port) }),
    startErrorOf({ HOST: "192.0.2.1" }),
    startErrorOf({ ADMIN_KEY: "a".repeat(32), ADMIN_PORT: String(port) }),
    startErrorOf({ DATABASE_URL: `postgres://me:hushed@${closed}/atelier` }),
    startErrorOf({ QUEUE_URL: unknownRoleUrl.href }),
    startErrorOf({ STORAGE_URL: `file:${directory}?min_free_mb=hushed` }),
    startErrorOf({ PROVIDERS_FILE: join(directory, "none") }),
    startErrorOf({ CATALOGUE_FILE: join(directory, "none") }),
    startErrorOf({ SHARES: "on" }),
  ]);
  const line = (start: string) => expect.stringMatching(new RegExp(`^${start}.*$`));
  expect(errors).toEqual([
    line(`PORT, HOST: listen EADDRINUSE: .*127\\.0\\.0\\.1:${port}`),
    line("PORT, HOST: listen EADDRNOTAVAIL: .*192\\.0\\.2\\.1"),
    line(`ADMIN_PORT, ADMIN_HOST: listen EADDRINUSE: .*${port}`),
    line("DATABASE_URL: connect ECONNREFUSED 127\\.0\\.0\\.1:1"),
    line("QUEUE_URL: password authentication failed"),
    line("STORAGE_URL: min_free_mb"),
    line("PROVIDERS_FILE: .*ENOENT"),
    line("CATALOGUE_FILE: .*ENOENT"),
    line("ABUSE_CONTACT: is required for SHARES=on\\. "),
  ]);
  expect(errors.join()).not.toContain("hushed");
});

it.each([
  ["75, which says that it may pass,", { DATABASE_URL: "postgres://127.0.0.1:1/atelier" }, 75],
  ["1", { PORT: "none" }, 1],
])("a start that fails ends with %s for %j", async (_what, settings, exitCode) => {
  const program = await forkProgram({
    script: fileURLToPath(new URL("../src/main.ts", import.meta.url)),
    environment: { PATH: process.env["PATH"] ?? "", ...environmentWith(settings) },
    logFile: join(directory, "api.log"),
  });
  expect(await program.ended).toBe(exitCode);
});
