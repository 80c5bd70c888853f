import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { startServerProcess } from "./child-process.ts";

const directory = await mkdtemp(join(tmpdir(), "atelier-process-"));

afterAll(() => rm(directory, { recursive: true }));

const server = { name: "server", command: "sh", directory, timeoutMs: 10_000 };

test("throws with the server's output when it exits at once", async () => {
  await expect(
    startServerProcess({
      ...server,
      args: ["-c", "echo the port is taken; exit 1"],
      isReady: async () => false,
    }),
  ).rejects.toThrow("server ended at once: the port is taken");
});

test("throws when the command does not exist", async () => {
  await expect(
    startServerProcess({
      ...server,
      command: "no-such-command",
      args: [],
      isReady: async () => false,
    }),
  ).rejects.toThrow("server ended at once");
});

test("stops a server that never becomes ready", async () => {
  await expect(
    startServerProcess({
      ...server,
      args: ["-c", "trap 'touch stopped; exit' TERM; while true; do sleep 0.1; done"],
      isReady: async () => false,
      timeoutMs: 500,
    }),
  ).rejects.toThrow("not ready within 500 ms");
  expect(existsSync(join(directory, "stopped"))).toBe(true);
});

test("kills a server that ignores SIGTERM", async () => {
  const { stop } = await startServerProcess({
    ...server,
    args: ["-c", "trap '' TERM; touch ready; while true; do sleep 0.1; done"],
    isReady: async () => existsSync(join(directory, "ready")),
  });
  const stoppedAt = performance.now();
  await stop();
  expect(performance.now() - stoppedAt).toBeLessThan(5_000);
});
