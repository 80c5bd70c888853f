import { expect, it } from "vitest";
import { ignoredFields } from "./ignored-fields.ts";

it("lists parameters that are not known, in the order of the request", () => {
  const body = { style: "vivid", prompt: "a boat", user: "reader-17" };
  expect(ignoredFields(body, ["prompt"])).toEqual(["style", "user"]);
});

it("does not list a parameter that is null or auto", () => {
  expect(ignoredFields({ style: null, quality: "auto" }, [])).toEqual([]);
});

it("leaves out names that cannot be sent in a header", () => {
  expect(
    ignoredFields({ "a\r\nSet-Cookie: x": 1, "a, b": 1, grün: 1, "svg[model]": 1 }, []),
  ).toEqual(["svg[model]"]);
});

it("lists 20 parameters of a thousand", () => {
  const body = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`field${at}`, at]));
  expect(ignoredFields(body, [])).toHaveLength(20);
});
