import { expect, it } from "vitest";
import { backOffMs } from "./back-off.ts";

it("doubles with every attempt, up to 30 s", () => {
  expect([1, 2, 3, 4, 20].map((tries) => backOffMs(tries, 0, 1))).toEqual([
    500, 1_000, 2_000, 4_000, 30_000,
  ]);
});

it("adds jitter in the second half of the delay", () => {
  expect(backOffMs(1, 0, 0)).toBe(250);
});

it("respects Retry-After and adds jitter to it", () => {
  expect([0, 0.5, 1].map((random) => backOffMs(1, 60_000, random))).toEqual([
    60_000, 63_000, 66_000,
  ]);
});
