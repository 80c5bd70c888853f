import type { Response } from "express";
import type * as z from "zod";

/** Names in the header; a body may have thousands. */
const maxNames = 20;

/** Names that can be sent in a header; OpenAI's parameters are among them. */
const plainName = /^[\w.[\]-]{1,64}$/;

/**
 * Names the parameters of a request that have no effect in the header `Atelier-Ignored`: those that
 * its schema does not have. Null is the same as a missing parameter.
 */
export function nameIgnored(body: object, schema: z.ZodObject, response: Response): void {
  const ignored = ignoredFields(body, Object.keys(schema.shape));
  if (ignored.length > 0) response.set("Atelier-Ignored", ignored.join(", "));
}

/** Lists parameters of a body that are not among the known ones. */
export function ignoredFields(body: object, known: readonly string[]): string[] {
  return Object.entries(body)
    .filter(([name, value]) => value != null && !known.includes(name) && plainName.test(name))
    .slice(0, maxNames)
    .map(([name]) => name);
}
