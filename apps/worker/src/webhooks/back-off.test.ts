import { expect, it } from "vitest";
import { backOff } from "./back-off.ts";

it("doubles from 5 seconds up to an hour", () => {
  const delays = [1, 2, 3, 10, 11, 2_000].map((failures) => backOff(failures, () => 0));
  expect(delays).toEqual([5_000, 10_000, 20_000, 2_560_000, 3_600_000, 3_600_000]);
});

it("is up to a fifth shorter at random", () => {
  expect(backOff(1, () => 0.999_999)).toBe(4_000);
});
