import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startRedis } from "./redis.ts";
import type { RunningService, Unavailable } from "./service.ts";

const scratch = await mkdtemp(join(tmpdir(), "atelier-redis-"));
const first = await startRedis({ directory: join(scratch, "first") });

afterAll(async () => {
  if ("stop" in first) await first.stop();
  await rm(scratch, { recursive: true });
});

test("throws when the configured Redis does not respond", async () => {
  await expect(
    startRedis({ directory: join(scratch, "external"), externalUrl: "redis://127.0.0.1:1" }),
  ).rejects.toThrow("does not respond");
});

function started(service: RunningService | Unavailable): RunningService {
  if ("unavailable" in service) throw new Error(service.unavailable);
  return service;
}

describe.skipIf("unavailable" in first)("a Redis started for tests", () => {
  let redis: Redis;

  beforeAll(() => {
    redis = new Redis(started(first).url);
  });

  afterAll(() => redis.disconnect());

  test("evicts nothing and keeps nothing on disk", async () => {
    expect(await redis.config("GET", "maxmemory-policy")).toContain("noeviction");
    expect(await redis.config("GET", "appendonly")).toContain("no");
    expect(await redis.config("GET", "save")).toContain("");
  });

  test("is separate from another one and stops answering once stopped", async () => {
    const second = started(await startRedis({ directory: join(scratch, "second") }));
    const other = new Redis(second.url, { retryStrategy: () => null });
    await other.set("only", "here");
    expect(await redis.get("only")).toBeNull();

    const closed = once(other, "end");
    await second.stop();
    await closed;
    await expect(other.get("only")).rejects.toThrow("Connection is closed");
  });

  test.skipIf(process.platform !== "linux")("dies with a parent that is killed", async () => {
    const parent = spawn(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `const { startRedis } = await import(${JSON.stringify(new URL("redis.ts", import.meta.url))});
         const { url } = await startRedis({ directory: ${JSON.stringify(join(scratch, "third"))} });
         console.log(url);
         setInterval(() => {}, 1_000);`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const [line] = await once(parent.stdout.setEncoding("utf8"), "data");
    const orphan = new Redis(String(line).trim(), { retryStrategy: () => null });
    expect(await orphan.ping()).toBe("PONG");

    const closed = once(orphan, "end");
    parent.kill("SIGKILL");
    await closed;
  });
});
