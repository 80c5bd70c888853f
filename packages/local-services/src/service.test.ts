import { expect, test } from "vitest";

import { firstAvailable, type RunningService } from "./service.ts";

const running: RunningService = {
  url: "test://here",
  description: "by hand",
  stop: async () => {},
};

test("uses the first source that works and tries no further one", async () => {
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

test("reports the reasons of all sources in one line when all fail", async () => {
  const service = await firstAvailable([
    async () => ({ unavailable: "not installed" }),
    async () => {
      throw new Error("Command failed\nno extended attributes\n");
    },
  ]);
  expect(service).toEqual({ unavailable: "not installed; no extended attributes" });
});
