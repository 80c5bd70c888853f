import { expect, it } from "vitest";
import { escapeControls } from "./escape-controls.ts";

it.each([
  ["an escape sequence", "\u001b[2J", "\\u001b[2J"],
  ["a write to the clipboard", "\u001b]52;c;QQ==\u0007", "\\u001b]52;c;QQ==\\u0007"],
  ["the same in one byte", "\u009b2J", "\\u009b2J"],
  ["a return to the start of the line", "a\rb", "a\\u000db"],
  ["a reordered text", "a\u202egpj.exe", "a\\u202egpj.exe"],
  ["an isolated text", "\u2067a\u2069", "\\u2067a\\u2069"],
  ["a line separator", "a\u2028b", "a\\u2028b"],
])("escapes %s", (_, text, escaped) => {
  expect(escapeControls(text)).toBe(escaped);
});

it("keeps lines, letters of all scripts, and emoji with joiners", () => {
  const text = "Café\n\tשלום مرحبا 👩‍👩‍👧";
  expect(escapeControls(text)).toBe(text);
});

it("escapes tabs and line feeds of a text of one line", () => {
  expect(escapeControls("a\tb\nc", { keeps: "" })).toBe("a\\u0009b\\u000ac");
});

it("keeps the value of a JSON text", () => {
  const value = { name: "\u001b\u009b\u202e\u2028\u007f" };
  const escaped = escapeControls(JSON.stringify(value));
  expect(escaped).toMatch(/^[ -~]*$/);
  expect(JSON.parse(escaped)).toEqual(value);
});
