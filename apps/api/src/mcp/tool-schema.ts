import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";
import { nameTools } from "./name-tools.ts";

type JsonSchema = Record<string, unknown>;

/**
 * A schema that is shown to clients and not applied: the tool reads its input itself, so that what is
 * wrong with it is told as everywhere else, with our codes and the nearest known name.
 */
export function inputSchema(schema: z.ZodType): StandardSchemaWithJSON<unknown, unknown> {
  return standardSchema(toJsonSchema(schema, "input"), (value) => ({ value }));
}

/** A schema that what a tool answers is held to. */
export function outputSchema(schema: z.ZodType): StandardSchemaWithJSON<unknown, unknown> {
  return standardSchema(toJsonSchema(schema, "output"), schema["~standard"].validate);
}

function standardSchema(
  json: JsonSchema,
  validate: StandardSchemaWithJSON["~standard"]["validate"],
): StandardSchemaWithJSON<unknown, unknown> {
  const jsonSchema = { input: () => json, output: () => json };
  return { "~standard": { version: 1, vendor: "atelier", validate, jsonSchema } };
}

/** JSON Schema without references, which not every client follows, without long patterns, and with tools for operations over HTTP. */
function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $defs, $schema, ...root } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.description !== undefined) {
        jsonSchema.description = nameTools(jsonSchema.description);
      }
    },
  }) as JsonSchema;
  return { $schema, ...(inline(root, ($defs ?? {}) as JsonSchema) as JsonSchema) };
}

function inline(value: unknown, definitions: JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => inline(item, definitions));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as JsonSchema;
  const definition =
    typeof $ref === "string" ? definitions[$ref.replace("#/$defs/", "")] : undefined;
  return Object.fromEntries(
    Object.entries({ ...(definition as JsonSchema | undefined), ...rest }).map(([key, inner]) => [
      key,
      inline(inner, definitions),
    ]),
  );
}
