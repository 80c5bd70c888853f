import { describe, expect, it } from "vitest";
import { findJsonError } from "./find-json-error.ts";

describe("the first error of a text that is not JSON", () => {
  it.each([
    ['{"prompt": "a fox",}', 1, 20, "a name in double quotes"],
    ['{\n  "n": 1\n  "seed": 2\n}', 3, 3, '"," or "}"'],
    ["{'n': 1}", 1, 2, 'a name in double quotes or "}"'],
    ['{"n" 1}', 1, 6, '":"'],
    ['{"n": one}', 1, 7, "a value"],
    ['{"n": 01}', 1, 8, '"," or "}"'],
    ['{"n": 1', 1, 8, '"," or "}"'],
    ["[1, 2", 1, 6, '"," or "]"'],
    ["[,]", 1, 2, 'a value or "]"'],
    ['{"prompt": "two\nlines"}', 1, 12, "a value"],
    ['{"prompt": "\\x"}', 1, 12, "a value"],
    ["{} {}", 1, 4, "the end of the text"],
    ["", 1, 1, "a value"],
  ])("%j has its line, column and expectation", (text, line, column, expected) => {
    expect(findJsonError(text)).toEqual({ line, column, expected });
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  });

  it.each(['{"a": [1, -0.5e+3, true, null, {}, []], "é\\u00e9": "\\n"}', " 1 ", '"a"', "[]"])(
    "is null for %j, which is JSON",
    (text) => {
      expect(findJsonError(text)).toBeNull();
      expect(() => JSON.parse(text) as unknown).not.toThrow();
    },
  );
});
