import { isTool, namesOf, operations, type OperationDefinition } from "@atelier/schemas";
import { describe, expect, it } from "vitest";
import { hasFieldProblem } from "../../form/problems.ts";
import { texts } from "../../texts/change.ts";
import { fieldsOf, readChangeFields } from "./change/read-fields.ts";
import { changes, emptyEdit, firstValuesOf, withImage } from "./changes.ts";
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

describe("the change of another image", () => {
  const image = { job_id: "a", image: 0 };
  const other = { upload_id: "b" };

  it("begins with the first margins, and keeps what does not belong to the image before", () => {
    const values = { left: 8_448, top: 40, prompt: "more sky" };
    const edit = { ...emptyEdit, operation: "outpaint", image, values } as const;
    expect(withImage(edit, other)).toMatchObject({ image: other, maskId: null });
    expect(withImage(edit, other).values).toEqual({ left: 256, right: 256, prompt: "more sky" });
    expect(withImage({ ...edit, image: null }, other).values).toEqual(values);
  });

  it("has no size that was meant for the image before", () => {
    const edit = { ...emptyEdit, operation: "upscale", image } as const;
    const sized = withImage({ ...edit, values: { width: 3_000, height: 2_000 } }, other);
    expect(sized.values).toEqual({ factor: 2 });
    expect(withImage({ ...edit, values: { factor: 3 } }, other).values).toEqual({ factor: 3 });
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
