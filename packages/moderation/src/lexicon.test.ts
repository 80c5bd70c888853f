import { describe, expect, it } from "vitest";
import { expand } from "./lexicon.ts";
import { normalise } from "./normalise.ts";
import { vocabulary } from "./vocabulary/index.ts";

describe("expand", () => {
  it("writes out all forms of a pattern", () => {
    expect(expand("red bike")).toEqual(["red bike"]);
    expect(expand("(red|blue) bike(|s)")).toEqual([
      "red bike",
      "red bikes",
      "blue bike",
      "blue bikes",
    ]);
    expect(expand("a(b|c(d|e))")).toEqual(["ab", "acd", "ace"]);
  });

  it("refuses a bracket without its partner", () => {
    expect(() => expand("(red")).toThrow("unclosed group");
    expect(() => expand("red)")).toThrow("stray bracket");
  });
});

describe("the vocabulary", () => {
  const lists = Object.entries(vocabulary).flatMap(([concept, languages]) =>
    Object.entries(languages).map(([language, list]) => ({ concept, language, list })),
  );

  it.each(lists)("$concept.$language is written the way texts are compared", ({ list }) => {
    expect(normalise(list)).toBe(list);
    const patterns = list.split(/[,\n]/u).map((entry) => entry.trim());
    // The asterisk ends a single word of at least three letters and stands nowhere else.
    const openEnded = patterns.filter((pattern) => pattern.includes("*"));
    expect(openEnded.filter((pattern) => !/^\p{L}{3,}\*$/u.test(pattern))).toEqual([]);
    // An empty form would match everywhere.
    const forms = patterns.filter((pattern) => pattern !== "").flatMap(expand);
    expect(forms.filter((form) => form.trim() === "")).toEqual([]);
  });
});
