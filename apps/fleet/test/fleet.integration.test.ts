import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it } from "vitest";

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
    env: { PATH, HOME, DATABASE_URL: database.url, STORAGE_URL: `file:${storage}` },
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
