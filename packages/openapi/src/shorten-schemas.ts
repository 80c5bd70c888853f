import type { ZodOpenApiOverride } from "zod-openapi";

/**
 * Simplifies JSON schemas for readers and client generators: removes patterns that repeat a format and
 * JavaScript's integer bounds, and turns records with enumerated keys into objects with properties.
 */
export const shortenSchemas: ZodOpenApiOverride = ({ jsonSchema }) => {
  if (jsonSchema.format === "date-time" || jsonSchema.format === "uuid") delete jsonSchema.pattern;
  if (jsonSchema.format === "base64") {
    // contentEncoding already says that it is base64.
    delete jsonSchema.format;
    delete jsonSchema.pattern;
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;

  const { propertyNames, additionalProperties } = jsonSchema;
  if (typeof propertyNames !== "object" || typeof additionalProperties !== "object") return;
  if (propertyNames.enum === undefined) return;
  jsonSchema.properties = Object.fromEntries(
    propertyNames.enum.map((key) => [String(key), { ...additionalProperties }]),
  );
  jsonSchema.additionalProperties = false;
  delete jsonSchema.propertyNames;
};
