import type { OpenApiDocument } from "./openapi-document.ts";

/** The parts of a JSON schema that are used here. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Record<string, object>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

const componentPrefix = "#/components/schemas/";

/**
 * Declares that optional properties of request bodies may be null, which means absent. The schemas
 * accept null in a preprocessing step that JSON Schema does not show.
 *
 * @param document is modified.
 */
export function allowNull(document: OpenApiDocument): void {
  const components = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const seen = new Set<Schema>();

  function visit(schema: Schema): void {
    if (seen.has(schema)) return;
    seen.add(schema);
    const component = components[schema.$ref?.slice(componentPrefix.length) ?? ""];
    const { properties = {}, required = [], items, additionalProperties: values } = schema;
    for (const inner of [component, items, values, ...Object.values(properties)]) {
      if (typeof inner === "object") visit(inner);
    }
    for (const [name, property] of Object.entries(properties)) {
      if (!required.includes(name)) properties[name] = nullable(property);
    }
  }

  for (const { post } of Object.values(document.paths ?? {})) {
    const body = post?.requestBody;
    if (body === undefined || "$ref" in body) continue;
    for (const media of Object.values(body.content)) {
      if ("schema" in media) visit(media.schema as Schema);
    }
  }
}

function nullable(schema: Schema): object {
  if (schema.type?.includes("null") || schema.anyOf?.some(({ type }) => type === "null")) {
    return schema;
  }
  if (typeof schema.type === "string" && schema.enum === undefined && schema.const === undefined) {
    return { ...schema, type: [schema.type, "null"] };
  }
  const { description, ...rest } = schema;
  return {
    ...(description === undefined ? {} : { description }),
    anyOf: [rest, { type: "null" }],
  };
}
