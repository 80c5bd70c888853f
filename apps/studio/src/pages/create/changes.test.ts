import { isTool, namesOf, operations, type OperationDefinition } from "@atelier/schemas";
import { describe, expect, it } from "vitest";
import { hasFieldProblem } from "../../form/problems.ts";
import { texts } from "../../texts/change.ts";
import { fieldsOf, readChangeFields } from "./change/read-fields.ts";
import { changes, firstValuesOf } from "./changes.ts";
import { methods } from "./code-of.ts";

const tools = changes.filter((name) => isTool(name));

it("offers every operation that changes an image", () => {
  const all = namesOf(operations).filter((name) => {
    const { change }: OperationDefinition = operations[name];
    return change !== undefined;
  });
  expect([...changes].sort()).toEqual(all.sort());
});

it("names the methods of the client", () => {
  for (const name of ["image", ...changes] as const) {
    expect(methods[name]).toBe(operations[name].method);
  }
});

describe.each(tools)("the fields of %s", (name) => {
  it("have a label, and a place for their problems", async () => {
    for (const field of await readChangeFields(name)) {
      expect(Object.keys(texts.change.fields)).toContain(field.name);
      expect(hasFieldProblem(new Map([[field.name, "Wrong."]]), true)).toBe(true);
    }
  });

  it("include those that the form begins with", async () => {
    const names = (await readChangeFields(name)).map((field) => field.name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(firstValuesOf(name))));
  });
});

it("has the bounds of the schema", async () => {
  expect(await readChangeFields("upscale")).toContainEqual({
    name: "factor",
    kind: "number",
    min: 2,
    max: 4,
    isInteger: false,
  });
  expect(await readChangeFields("remove-background")).toEqual([]);
  expect((await readChangeFields("edit")).map(({ name }) => name)).toEqual(["strength"]);
});

it("leaves other types to the service", () => {
  const properties = { keep: { type: "boolean" }, url: { type: "string", format: "uri" } };
  expect(fieldsOf({ properties })).toEqual([]);
});
