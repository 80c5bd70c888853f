import { expect, it } from "vitest";
import { chooseLanes, type Lanes } from "./lanes.ts";

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
