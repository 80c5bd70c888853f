import type { ZodOpenApiOverride } from "zod-openapi";

/**
 * Says of request properties that are read through a preprocessing step, which is all that may be
 * left out, that they may be null as well: null means absent.
 */
export const allowNull: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  const { def } = zodSchema._zod;
  if (io !== "input" || def.type !== "pipe" || def.in._zod.def.type !== "transform") return;
  const { description, ...schema } = jsonSchema;
  for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
  Object.assign(jsonSchema, description === undefined ? {} : { description }, nullable(schema));
};

function nullable(schema: object): object {
  return "type" in schema && !("enum" in schema) && !("const" in schema)
    ? { ...schema, type: [schema.type, "null"] }
    : { anyOf: [schema, { type: "null" }] };
}
