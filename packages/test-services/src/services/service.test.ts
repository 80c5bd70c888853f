import { expect, test } from "vitest";

import { firstAvailable, type RunningService } from "./service.ts";

const running: RunningService = { url: "test://here", how: "by hand", stop: async () => {} };

test("the first way that works is taken, and no further one is tried", async () => {
  const tried: string[] = [];
  const service = await firstAvailable([
    async () => {
      tried.push("absent");
      return { unavailable: "not installed" };
    },
    async () => {
      tried.push("broken");
      throw new Error("Command failed\nno extended attributes\n");
    },
    async () => {
      tried.push("running");
      return running;
    },
    async () => {
      tried.push("needless");
      return running;
    },
  ]);
  expect(service).toBe(running);
  expect(tried).toEqual(["absent", "broken", "running"]);
});

test("without any, the reasons of all are given in one line", async () => {
  const service = await firstAvailable([
    async () => ({ unavailable: "not installed" }),
    async () => {
      throw new Error("Command failed\nno extended attributes\n");
    },
  ]);
  expect(service).toEqual({ unavailable: "not installed; no extended attributes" });
});
