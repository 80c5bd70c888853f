import { expect, it } from "vitest";
import { median, percentile } from "./statistics.ts";

it("returns the middle value or the mean of the two middle ones", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([10, 1, 4, 2])).toBe(3);
  expect(median([7])).toBe(7);
});

it("returns the value below which a share of the values lies", () => {
  const values = Array.from({ length: 101 }, (_, index) => 100 - index);
  expect(percentile(values, 0.95)).toBe(95);
  expect(percentile(values, 0)).toBe(0);
  expect(percentile(values, 1)).toBe(100);
});

it("does not modify its input and returns NaN for no values", () => {
  const values = [3, 1, 2];
  median(values);
  expect(values).toEqual([3, 1, 2]);
  expect(median([])).toBeNaN();
});
