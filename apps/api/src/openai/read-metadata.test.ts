import { expect, it } from "vitest";
import { readMetadata } from "./read-metadata.ts";

it("keeps the pairs of metadata, user and safety_identifier", () => {
  const body = { user: "reader-17", safety_identifier: "a1", metadata: { order: "A-1" }, n: 2 };
  expect(readMetadata(body)).toEqual({
    metadata: { order: "A-1", user: "reader-17", safety_identifier: "a1" },
    kept: ["metadata", "user", "safety_identifier"],
  });
});

it.each([
  [{ metadata: '{"order":"A-1"}' }, ["metadata"]],
  [{ "metadata[order]": "A-1" }, ["metadata[order]"]],
])("reads the metadata of a form: %j", (fields, kept) => {
  expect(readMetadata(fields)).toEqual({ metadata: { order: "A-1" }, kept });
});

it.each([
  ["a user that is too long", { user: "x".repeat(513) }],
  ["a user that is no text", { user: 17 }],
  ["a text that Postgres cannot store", { user: "a\0b" }],
  ["metadata that is no object", { metadata: "order" }],
  ["metadata with a number", { metadata: { order: 1 } }],
  ["17 pairs", { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [at, "x"])) }],
  ["a name that is too long", { metadata: { ["x".repeat(65)]: "x" } }],
])("leaves out %s", (_, body) => {
  expect(readMetadata(body)).toEqual({ metadata: undefined, kept: [] });
});

it("keeps a pair of metadata with the name user, and leaves out the parameter", () => {
  expect(readMetadata({ user: "a", metadata: { user: "b" } })).toEqual({
    metadata: { user: "b" },
    kept: ["metadata"],
  });
});

it("leaves out a user for whom 16 pairs leave no room", () => {
  const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`n${at}`, "x"]));
  expect(readMetadata({ metadata, user: "a" })).toEqual({ metadata, kept: ["metadata"] });
});
