import type { ZodOpenApiOverride } from "zod-openapi";

/**
 * Writes schemas so that people and generators of clients can read them: without patterns that
 * repeat a format, without the ends of JavaScript's integers, and with the keys of a record as
 * properties where there are only a few.
 */
export const shortenSchemas: ZodOpenApiOverride = ({ jsonSchema }) => {
  if (jsonSchema.format === "date-time" || jsonSchema.format === "uuid") delete jsonSchema.pattern;
  if (jsonSchema.format === "base64") {
    // What it is, is in contentEncoding; a pattern over megabytes says no more.
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
