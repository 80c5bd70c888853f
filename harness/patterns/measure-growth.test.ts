import { expect, it } from "vitest";
import { findSlowText } from "./measure-growth.ts";

it.each([
  [String.raw`^(?:a+)+$`, ""],
  [String.raw`%%.*$`, ""],
  [String.raw`^[A-Za-z0-9+/\r\n]+={0,2}\s*$`, ""],
  [String.raw`\s+$`, ""],
  [String.raw`^-+|-+$`, "g"],
  [String.raw`^(?:[^[\n]*\[.*)width=`, "gm"],
  [String.raw`<text[^>]*>`, "g"],
  [String.raw`\s*,\s*(?:and\s+)?`, "u"],
])("finds a text that makes /%s/%s slow", (source, flags) => {
  expect(findSlowText(source, flags)).not.toBeNull();
});

it.each([
  [String.raw`^\s+`, ""],
  [String.raw`<text[^<>]*>`, "g"],
  [String.raw`^(?:"[^"]*"|[^;"])+$`, ""],
  [String.raw`\/\*(?:[^*]|\*(?!\/))*`, "g"],
  [String.raw`^\p{L}+(?: \p{L}+)*$`, "u"],
  [String.raw`(?<![.!?])[.!?]+$`, ""],
])("finds no text that makes /%s/%s slow", (source, flags) => {
  expect(findSlowText(source, flags)).toBeNull();
});
