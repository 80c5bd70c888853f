import { expect, it } from "vitest";
import { chooseLanes, timeoutOf, type Lanes } from "./lanes.ts";

const lanes = new Map(
  ["builtin", "builtin-diagrams", "builtin-test", "openai"].map((name) => [name, {}]),
) as unknown as Lanes;

it("serves all lanes, or those in WORKER_LANES with the diagrams of the built-in models", () => {
  expect(chooseLanes(undefined, lanes)).toEqual([
    "builtin",
    "builtin-diagrams",
    "builtin-test",
    "openai",
  ]);
  expect(chooseLanes("openai, builtin", lanes)).toEqual([
    "openai",
    "builtin",
    "builtin-diagrams",
    "builtin-test",
  ]);
  expect(chooseLanes("builtin,builtin-diagrams", lanes)).toEqual([
    "builtin",
    "builtin-diagrams",
    "builtin-test",
  ]);
  expect(chooseLanes("builtin-diagrams", lanes)).toEqual(["builtin-diagrams"]);
});

it.each([
  ["1K", null, 300],
  ["1K", { width: 1_536, height: 1_024 }, 300],
  ["large", { width: 1_024, height: 1_024 }, 300],
  ["large", null, 300],
  ["2K", null, 540],
  ["4K", null, 540],
  ["1K", { width: 2_048, height: 1_152 }, 540],
  ["large", { width: 2_048, height: 2_048 }, 540],
])("lets a call for %s (%j) take %i s without a setting", (imageSize, pixels, seconds) => {
  expect(timeoutOf({ timeoutMs: null }, { imageSize, pixels })).toBe(seconds * 1_000);
});

it("lets calls for images of any size take the configured time", () => {
  const sizes = ["1K", "4K"].map((imageSize) => ({ imageSize, pixels: null }));
  expect(sizes.map((size) => timeoutOf({ timeoutMs: 20_000 }, size))).toEqual([20_000, 20_000]);
});
