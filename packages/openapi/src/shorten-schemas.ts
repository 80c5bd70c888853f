import type { ZodOpenApiOverride } from "zod-openapi";

/** Leaves out what only makes the document longer: patterns that repeat a format, and integers' ends. */
export const shortenSchemas: ZodOpenApiOverride = ({ jsonSchema }) => {
  if (jsonSchema.format === "date-time" || jsonSchema.format === "uuid") delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};
