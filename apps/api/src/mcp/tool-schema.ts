import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";
import { nameTools } from "./name-tools.ts";

type JsonSchema = Record<string, unknown>;

/**
 * Creates a schema that is shown to clients but not applied. The tool validates its own input, so
 * that errors are the same as over HTTP, with our codes and the nearest known name.
 */
export function inputSchema(schema: z.ZodType): StandardSchemaWithJSON<unknown, unknown> {
  const json = describeOnce(shortenInput(toJsonSchema(schema, "input"))) as JsonSchema;
  const properties = Object.entries((json["properties"] ?? {}) as JsonSchema);
  const shown = properties.filter(([name]) => !optionsOfPrograms.has(name));
  return standardSchema({ ...json, properties: Object.fromEntries(shown) }, (value) => ({ value }));
}

/**
 * Creates a schema that validates the output of a tool. Assistants read the output itself, so that they are
 * shown its properties only, without what these contain and which of them are always there.
 */
export function outputSchema(schema: z.ZodType): StandardSchemaWithJSON<unknown, unknown> {
  const { properties = {} } = toJsonSchema(schema, "output");
  const outline = Object.fromEntries(
    Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, property]) => [
      name,
      outlineOf(property),
    ]),
  );
  return standardSchema({ type: "object", properties: outline }, schema["~standard"].validate);
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
 * without examples, which name models that a key may not be able to use, and with tool names instead of
 * HTTP operations.
 */
function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const {
    $defs,
    $schema: _,
    ...root
  } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      delete jsonSchema.examples;
      if (jsonSchema.description !== undefined) {
        jsonSchema.description = nameTools(jsonSchema.description);
      }
    },
  }) as JsonSchema;
  return inline(root, ($defs ?? {}) as JsonSchema) as JsonSchema;
}

/** The type of a property. */
function outlineOf({ type, anyOf, enum: values }: JsonSchema): JsonSchema {
  const types = Array.isArray(anyOf) ? anyOf.map((one) => (one as JsonSchema)["type"]) : [type];
  const known = types.flat().filter((one) => one !== undefined);
  if (values !== undefined) return { enum: values };
  return known.length === 0 ? {} : { type: known.length === 1 ? known[0] : known };
}

/** Options for programs, about things that no tool shows or makes: tools take them without offering them to assistants. */
const optionsOfPrograms: ReadonlySet<string> = new Set([
  "output",
  "keep",
  "webhook_url",
  "webhook_events",
  "request_id",
  "collection",
]);

/** Properties whose content `list_models` describes for each model. */
const describedByModel: ReadonlySet<string> = new Set(["parameters"]);

/**
 * Sources of an image that assistants are not offered: characters and locations, which tools take, and the
 * image itself, which they refuse.
 */
const unofferedSources: ReadonlySet<string> = new Set([
  "base64",
  "portrait",
  "state",
  "location",
  "character_id",
  "location_id",
]);

/** Limits that a request rarely meets. The tool checks them, and its error names them. */
const unusualLimits: ReadonlySet<string> = new Set([
  "additionalProperties",
  "format",
  "maxLength",
  "maxProperties",
  "minLength",
  "pattern",
  "propertyNames",
]);

/** A maximum beyond it, such as that of a seed, is rarely met, and so is a minimum of 0 or 1, also of a list. */
const usualNumbers = 10_000;

/**
 * Shortens a schema, because every conversation begins with all tools: of a description remains the first
 * sentence, and limits that are rarely met are left out.
 */
function shortenInput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortenInput);
  if (typeof value !== "object" || value === null) return value;
  const schema = value as JsonSchema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, inner]) => {
      if (key === "properties") return [[key, shortenAll(inner as JsonSchema)]];
      if (unusualLimits.has(key) && !isMap(schema, key)) return [];
      if ((key === "minimum" || key === "minItems") && Number(inner) <= 1) return [];
      if (key === "maximum" && Number(inner) > usualNumbers) return [];
      if (key === "description") return [[key, shortenText(String(inner))]];
      return [[key, shortenInput(inner)]];
    }),
  );
}

/** Leaves out descriptions that are in the schema already, such as those of each further image's fields. */
function describeOnce(value: unknown, described: Set<string> = new Set()): unknown {
  if (Array.isArray(value)) return value.map((one) => describeOnce(one, described));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
      if (key !== "description" || typeof inner !== "string") {
        return [[key, describeOnce(inner, described)]];
      }
      const isKnown = described.has(inner);
      described.add(inner);
      return isKnown ? [] : [[key, inner]];
    }),
  );
}

/** Shortens the schemas of properties, whose names are never keywords. */
function shortenAll(properties: JsonSchema): JsonSchema {
  const isSource = "upload_id" in properties;
  const shown = Object.entries(properties).filter(
    ([name]) => !isSource || !unofferedSources.has(name),
  );
  return Object.fromEntries(
    shown.map(([name, schema]) => {
      if (!describedByModel.has(name)) return [name, shortenInput(schema)];
      const { properties: _, ...rest } = schema as JsonSchema;
      return [name, shortenInput(rest)];
    }),
  );
}

/** The values of a map are described by `additionalProperties`. */
function isMap(schema: JsonSchema, key: string): boolean {
  return key === "additionalProperties" && typeof schema[key] === "object";
}

/** Reduces a description to its first sentence. */
function shortenText(text: string): string {
  const [sentence = text] = /^.*?\.(?=\s|$)/s.exec(text) ?? [];
  return sentence.replaceAll(/for models whose (`\w+`) is true/g, "for models with $1");
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
