import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { startEmbeddedPostgres, type EmbeddedPostgresOptions } from "./embedded-postgres.ts";

/** A folder that Postgres can enter although it may run as another user. */
async function makeOptions(): Promise<EmbeddedPostgresOptions> {
  const directory = await mkdtemp(join(tmpdir(), "atelier-postgres-"));
  await chmod(directory, 0o755);
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return { directory, port, password: "test", settings: { fsync: "off" } };
}

async function isReachable(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query("SELECT 1")).rowCount === 1;
  } finally {
    await client.end();
  }
}

it("starts over after it was killed during initdb", { tags: "full" }, async () => {
  const options = await makeOptions();
  const { directory } = options;
  const child = fork(new URL("testing/start.ts", import.meta.url), [JSON.stringify(options)], {
    execArgv: [],
    stdio: "ignore",
  });
  await vi.waitUntil(
    () => readdirSync(directory).some((name) => existsSync(join(directory, name, "PG_VERSION"))),
    { timeout: 20_000, interval: 1 },
  );
  child.kill("SIGKILL");
  await once(child, "exit");

  const postgres = await startEmbeddedPostgres(options);
  onTestFinished(() => postgres.stop());
  expect(await isReachable(postgres.url("postgres"))).toBe(true);
  expect(await readdir(directory)).toEqual(["data", "postgres.log"]);
});

it("never creates a cluster in a folder with parts of another one", async () => {
  const options = await makeOptions();
  const postgres = await startEmbeddedPostgres(options);
  await postgres.stop();
  const data = join(options.directory, "data");
  const version = join(data, "PG_VERSION");
  const content = await readFile(version);
  await rm(version);
  const before = await readdir(data);
  await expect(startEmbeddedPostgres(options)).rejects.toThrow("PG_VERSION is missing");
  expect(await readdir(data)).toEqual(before);

  await writeFile(version, content);
  const again = await startEmbeddedPostgres(options);
  onTestFinished(() => again.stop());
  expect(await isReachable(again.url("postgres"))).toBe(true);
});

it("says which major version of Postgres the data belongs to", async () => {
  const options = await makeOptions();
  const data = join(options.directory, "data");
  await mkdir(data);
  await writeFile(join(data, "PG_VERSION"), "17\n");
  await expect(startEmbeddedPostgres(options)).rejects.toThrow(
    `${data} has a database of Postgres 17, and this version of Atelier runs Postgres 18. ` +
      "Start the version of Atelier that created it",
  );
});

it(
  "names the cause of a failed start in the first line of the error",
  { tags: "full" },
  async () => {
    const options = await makeOptions();
    const settings = { ...options.settings, shared_buffers: "nonsense" };
    await expect(startEmbeddedPostgres({ ...options, settings })).rejects.toThrow(
      /^Postgres did not start: .*shared_buffers/,
    );
  },
);

it.skipIf(!existsSync("/dev/full"))("keeps serving when its log cannot be written", async () => {
  const options = await makeOptions();
  await symlink("/dev/full", join(options.directory, "postgres.log"));
  const postgres = await startEmbeddedPostgres(options);
  onTestFinished(() => postgres.stop());
  for (let connection = 0; connection < 3; connection++) {
    const wrong = postgres.url("postgres").replace(options.password, "wrong");
    await expect(isReachable(wrong)).rejects.toThrow("password");
  }
  expect(await isReachable(postgres.url("postgres"))).toBe(true);
});
