import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createTestDatabase, freePorts, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

let database: TestDatabase;
let storage: string;
let child: ChildProcess;

interface Facts {
  readonly base_url: string;
  readonly api_key: string;
  readonly pids: { readonly apis: number[]; readonly workers: number[] };
  readonly logs: string;
}

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  storage = await mkdtemp(join(tmpdir(), "atelier-fleet-images-"));
});

afterAll(async () => {
  if (child?.exitCode === null) {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  await database?.drop();
  await rm(storage, { recursive: true, force: true });
});

it("serves until Ctrl-C and leaves no process behind", async () => {
  const { PATH, HOME } = process.env;
  const args = [
    "--apis",
    "1",
    "--workers",
    "1",
    "--queue",
    "postgres",
    "--port",
    "0",
    "--json",
    "--host",
    "127.0.0.2",
  ];
  child = spawn(process.execPath, [main, ...args], {
    env: {
      PATH,
      HOME,
      ATELIER_ENV_FILE: "/dev/null",
      DATABASE_URL: database.url,
      STORAGE_URL: `file:${storage}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr?.on("data", (text: Buffer) => (errors += text.toString()));
  const ended = once(child, "exit");
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout! }), "line"),
    ended.then(() => Promise.reject(new Error(errors))),
  ])) as [string];
  const facts = JSON.parse(line) as Facts;
  expect(facts.base_url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/);
  const response = await fetch(`${facts.base_url}/v1/generate/image`, {
    method: "POST",
    headers: { Authorization: `Bearer ${facts.api_key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ model: "builtin-illustrator", prompt: "a lighthouse at dusk" }),
  });
  expect(response.status).toBe(200);
  const { image_url: imageUrl } = (await response.json()) as { image_url: string };
  expect(imageUrl.startsWith(facts.base_url)).toBe(true);
  expect((await fetch(imageUrl)).status).toBe(200);

  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
  for (const pid of [...facts.pids.apis, ...facts.pids.workers]) {
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  }
  expect(existsSync(facts.logs)).toBe(false);
}, 120_000);

it("replaces an API and a worker that are killed", async () => {
  const { PATH, HOME } = process.env;
  const args = ["--apis", "1", "--workers", "1", "--queue", "postgres", "--port", "0", "--json"];
  child = spawn(process.execPath, [main, ...args], {
    env: {
      PATH,
      HOME,
      ATELIER_ENV_FILE: "/dev/null",
      DATABASE_URL: database.url,
      STORAGE_URL: `file:${storage}`,
      WORKER_LOCK_SECONDS: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr?.on("data", (text: Buffer) => (errors += text.toString()));
  const ended = once(child, "exit");
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout! }), "line"),
    ended.then(() => Promise.reject(new Error(errors))),
  ])) as [string];
  const facts = JSON.parse(line) as Facts;
  for (const pid of [...facts.pids.apis, ...facts.pids.workers]) process.kill(pid, "SIGKILL");
  await vi.waitFor(
    async () => {
      const response = await fetch(`${facts.base_url}/v1/generate/image`, {
        method: "POST",
        headers: { Authorization: `Bearer ${facts.api_key}`, "Content-Type": "application/json" },
        body: JSON.stringify({ model: "builtin-pattern", prompt: "blue waves" }),
      });
      expect(response.status).toBe(200);
    },
    { timeout: 90_000, interval: 500 },
  );
  expect(errors.match(/\(killed\); its log is in .* Starting another one\./g)).toHaveLength(2);
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
}, 120_000);

const poolerUrl = inject("poolerUrl");

it.skipIf(poolerUrl === null)(
  "serves behind PgBouncer in transaction mode",
  async () => {
    const pooled = new URL(poolerUrl ?? "");
    pooled.pathname = new URL(database.url).pathname;
    const { PATH, HOME } = process.env;
    const args = ["--apis", "1", "--workers", "1", "--queue", "postgres", "--port", "0", "--json"];
    child = spawn(process.execPath, [main, ...args], {
      env: {
        PATH,
        HOME,
        ATELIER_ENV_FILE: "/dev/null",
        DATABASE_URL: pooled.href,
        DATABASE_DIRECT_URL: database.url,
        STORAGE_URL: `file:${storage}`,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let errors = "";
    child.stderr?.on("data", (text: Buffer) => (errors += text.toString()));
    const ended = once(child, "exit");
    const [line] = (await Promise.race([
      once(createInterface({ input: child.stdout! }), "line"),
      ended.then(() => Promise.reject(new Error(errors))),
    ])) as [string];
    const facts = JSON.parse(line) as Facts;
    const response = await fetch(`${facts.base_url}/v1/generate/image`, {
      method: "POST",
      headers: { Authorization: `Bearer ${facts.api_key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ model: "builtin-pattern", prompt: "waves" }),
    });
    expect(response.status).toBe(200);
    child.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
  },
  120_000,
);

it("says what it waits for when its queue is unavailable, and ends on SIGTERM", async () => {
  const { PATH, HOME } = process.env;
  const [port] = await freePorts(1);
  child = spawn(process.execPath, [main, "--apis", "1", "--workers", "1", "--port", "0"], {
    env: {
      PATH,
      HOME,
      ATELIER_ENV_FILE: "/dev/null",
      DATABASE_URL: database.url,
      QUEUE_URL: `redis://127.0.0.1:${port}`,
      STORAGE_URL: `file:${storage}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stderr! });
  for await (const line of lines) {
    if (/worker-2 waits for the queue: .*ECONNREFUSED/.test(line)) break;
  }
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
}, 120_000);
