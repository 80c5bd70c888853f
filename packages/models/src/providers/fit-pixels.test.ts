import { expect, test } from "vitest";
import { pixelsOf } from "./fit-pixels.ts";
import { CallEnded } from "./http/call-ended.ts";

const areas = { "1K": { pixels: 1024 ** 2, maxEdge: 1536, step: 16 } };
const of = (aspectRatio: string, imageSize = "1K") => pixelsOf({ aspectRatio, imageSize }, areas);

test("pixelsOf keeps the requested area in multiples of the provider's step", () => {
  expect(of("1:1")).toEqual({ width: 1024, height: 1024 });
  expect(of("16:9")).toEqual({ width: 1360, height: 768 });
  expect(of("2:3")).toEqual({ width: 832, height: 1248 });
});

test("pixelsOf reduces the area of an elongated image rather than exceed the maximum edge", () => {
  expect(of("21:9")).toEqual({ width: 1536, height: 656 });
  expect(of("9:21")).toEqual({ width: 656, height: 1536 });
});

test.each([
  ["1:1", "8K"],
  ["1:1", "constructor"],
  ["square", "1K"],
  ["0:1", "1K"],
])("pixelsOf rejects %s in %s", (aspectRatio, imageSize) => {
  expect(() => of(aspectRatio, imageSize)).toThrow(CallEnded);
});
