import { readFile } from "node:fs/promises";
import * as z from "zod";
import { beforeAll, expect, it } from "vitest";
import { description } from "./description.ts";
import { placeholders } from "./placeholders.ts";
import { describedServers, describedVendors } from "./shipped.ts";
import { inventedText } from "./testing/invented-server.ts";

let page: string;
beforeAll(async () => {
  page = await readFile(new URL("../../../../../docs/descriptions.md", import.meta.url), "utf8");
});

it("shows the description that the tests run, as a whole", () => {
  const blocks = Array.from(page.matchAll(/```json\n(.*?)```/gs), ([, text = ""]) => text);
  expect(blocks.map((text) => JSON.parse(text) as unknown)).toContainEqual(
    JSON.parse(inventedText),
  );
});

it("explains every placeholder and every field, and lists every description", () => {
  const names = [
    ...Object.keys(placeholders).map((name) => `{${name}}`),
    ...fieldsOf(description),
    ...Object.keys(describedVendors),
    ...Object.values(describedVendors),
    ...describedServers,
  ];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

/** The names of the fields of a schema, at any depth. */
function fieldsOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, field]) => [
      name,
      ...fieldsOf(field as z.ZodType),
    ]);
  }
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element as z.ZodType);
  if (schema instanceof z.ZodRecord) return fieldsOf(schema.valueType as z.ZodType);
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in as z.ZodType);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return fieldsOf(schema.unwrap() as z.ZodType);
  }
  return [];
}
