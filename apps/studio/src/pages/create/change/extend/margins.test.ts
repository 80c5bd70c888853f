import { expect, it } from "vitest";
import {
  hasShape,
  largestMargin,
  marginsFor,
  marginsOf,
  moveSide,
  sizeWith,
  targetRatios,
  withMargins,
} from "./margins.ts";

const square = { width: 1_024, height: 1_024 };
const none = { top: 0, right: 0, bottom: 0, left: 0 };

it("extends a square to 16:9 by half of the missing pixels at the left and at the right", () => {
  expect(marginsFor(square, "16:9")).toEqual({ top: 0, right: 398, bottom: 0, left: 398 });
  expect(sizeWith(square, marginsFor(square, "16:9") ?? none)).toEqual({
    width: 1_820,
    height: 1_024,
  });
});

it("extends at two sides only, whatever the image is, and reaches each ratio", () => {
  for (const image of [square, { width: 1_537, height: 811 }, { width: 333, height: 1_000 }]) {
    for (const ratio of targetRatios) {
      const margins = marginsFor(image, ratio) ?? none;
      expect([margins.top + margins.bottom, margins.left + margins.right]).toContain(0);
      expect([ratio, hasShape(image, margins, ratio)]).toEqual([ratio, true]);
    }
  }
});

it("offers no ratio that the image has, and none that is larger than any result", () => {
  expect(marginsFor(square, "1:1")).toBeNull();
  expect(marginsFor({ width: 1_000, height: 9_000 }, "16:9")).toBeNull();
  expect(marginsFor({ width: 8_000, height: 4_900 }, "16:9")).toBeNull();
});

it("keeps a side within the pixels of a margin, of an edge and of a result", () => {
  expect(largestMargin(square, none, "left")).toBe(8_192);
  expect(largestMargin({ width: 4_000, height: 4_000 }, none, "top")).toBe(6_000);
  expect(largestMargin({ width: 10_000, height: 100 }, none, "right")).toBe(6_383);
  expect(moveSide(square, none, "left", 9_000).left).toBe(8_192);
  expect(moveSide(square, none, "left", -8)).toEqual(none);
  expect(moveSide(square, { ...none, top: 8 }, "right", 12.6)).toEqual({
    ...none,
    top: 8,
    right: 13,
  });
});

it("reads missing and wrong margins as 0, and leaves those of 0 out", () => {
  expect(marginsOf({ left: 64, top: "", prompt: "sand" })).toEqual({ ...none, left: 64 });
  expect(withMargins({ prompt: "sand", left: 1 }, { ...none, top: 32 })).toEqual({
    prompt: "sand",
    top: 32,
  });
});
