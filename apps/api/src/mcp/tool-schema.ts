import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";
import { nameTools } from "./name-tools.ts";

type JsonSchema = Record<string, unknown>;

/**
 * Creates a schema that is shown to clients but not applied. The tool validates its own input, so
 * that errors are the same as over HTTP, with our codes and the nearest known name.
 */
export function inputSchema(schema: z.ZodType): StandardSchemaWithJSON<unknown, unknown> {
  return standardSchema(toJsonSchema(schema, "input"), (value) => ({ value }));
}

/** Creates a schema that validates the output of a tool. */
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

/**
 * Converts to JSON Schema for assistants: without references, which some clients do not resolve,
 * without long patterns and examples, which name models that a key may not be able to use, and with
 * tool names instead of HTTP operations.
 */
function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $defs, $schema, ...root } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      delete jsonSchema.examples;
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
