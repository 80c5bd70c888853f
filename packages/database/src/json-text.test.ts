import { expect, it } from "vitest";
import { isStorable, jsonText } from "./json-text.ts";

it.each([
  ["U+0000", { text: "a\0b" }, { text: "a\uFFFDb" }],
  ["an unpaired surrogate", ["a\ud83d"], ["a\uFFFD"]],
  ["U+0000 in a name", { "a\0": { "\udc00": 1 } }, { "a\uFFFD": { "\uFFFD": 1 } }],
])("replaces %s, which Postgres does not store", (_name, value, stored) => {
  expect(JSON.parse(jsonText(value))).toEqual(stored);
});

it.each([[null, 1, true, "😀"], { list: [{ text: "é\n\\u0000" }] }])("keeps %j", (value) => {
  expect(jsonText(value)).toBe(JSON.stringify(value));
});

it("recognises text that Postgres does not store", () => {
  expect(["id", "", "😀", "a\0", "\ud83d"].map(isStorable)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
