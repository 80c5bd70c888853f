import type { oas31, ZodOpenApiMediaTypeObject, ZodOpenApiResponseObject } from "zod-openapi";
import * as z from "zod";
import type { Examples } from "@atelier/schemas/endpoints";
import { headerReferences, type HeaderName } from "../headers.ts";

/** Named examples, written as `name: [summary, value]`. */
export function examples(named: Examples): Record<string, oas31.ExampleObject> {
  return Object.fromEntries(
    Object.entries(named).map(([name, [summary, value]]) => [
      name,
      { ...(summary !== null && { summary }), value },
    ]),
  );
}

/** A file in a form. */
const binary = z.string().meta({ format: "binary" });

/**
 * The body of an image: the only file of a form. Generators of clients send something else when an
 * operation has several types of bodies; the others are described in words.
 */
export const imageForm = {
  "multipart/form-data": { schema: z.object({ file: binary }) },
};

/** A JSON response. */
export function jsonResponse(
  description: string,
  content: ZodOpenApiMediaTypeObject,
  headers: readonly HeaderName[] = [],
): ZodOpenApiResponseObject {
  return {
    description,
    headers: headerReferences(["X-Request-Id", ...headers]),
    content: { "application/json": content },
  };
}
