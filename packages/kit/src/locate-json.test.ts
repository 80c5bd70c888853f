import { expect, it } from "vitest";
import { locateJson } from "./locate-json.ts";
import { positionAt } from "./position-at.ts";

const text = `{
  "a\\"b": { "x}": ["},{", {"deep": 1}] },
  "list": [10, true,
    {"name": "first"}, {"name": "second"}],
  "end": null
}`;

it.each([
  [[], "value", 1, 1],
  [['a"b'], "key", 2, 3],
  [['a"b', "x}", 1, "deep"], "value", 2, 36],
  [["list", 1], "value", 3, 16],
  [["list", 3, "name"], "key", 4, 25],
  [["list", 3, "name"], "value", 4, 33],
  [["end"], "value", 5, 10],
  [["list", 9, "name"], "value", 3, 11],
  [["missing"], "value", 1, 1],
] as const)("finds %j (%s) at line %i, column %i", (path, at, line, column) => {
  expect(positionAt(text, locateJson(text, path, at))).toEqual({ line, column });
});
