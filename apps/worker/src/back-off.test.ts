import { expect, it } from "vitest";
import { backOffMs } from "./back-off.ts";

it("doubles with every try, up to half a minute", () => {
  expect([1, 2, 3, 4, 20].map((tries) => backOffMs(tries, 0, 1))).toEqual([
    500, 1_000, 2_000, 4_000, 30_000,
  ]);
});

it("spreads tries over the second half of the delay", () => {
  expect(backOffMs(1, 0, 0)).toBe(250);
});

it("never comes back earlier than it was asked to, and not at the same moment as others", () => {
  expect([0, 0.5, 1].map((random) => backOffMs(1, 60_000, random))).toEqual([
    60_000, 63_000, 66_000,
  ]);
});
