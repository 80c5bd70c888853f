import { expect, it } from "vitest";
import { readPart } from "./read-part.ts";

it.each([
  ["a girl with red hair", "character"],
  ["an old fox with a scarf", "character"],
  ["a harbour at the sea", "location"],
  ["a red lighthouse", "thing"],
  ["the thing that matters", null],
  ["", null],
])("reads %j as %s", (description, part) => {
  expect(readPart(description)).toBe(part);
});
