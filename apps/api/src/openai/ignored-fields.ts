import type { Response } from "express";
import type * as z from "zod";

/** Names in the header; a body may have thousands. */
const maxNames = 20;

/** Names that can be sent in a header; OpenAI's parameters are among them. */
const plainName = /^[\w.[\]-]{1,64}$/;

/** Parameters of the schemas that have no effect, or only if their values fit. */
const withoutEffect = ["quality", "metadata", "user", "safety_identifier"];

/**
 * Names the parameters of a request that have no effect in the header `Atelier-Ignored`: those that
 * its schema does not have, `quality`, and those of metadata that were not kept. Null and `auto` are the
 * same as a missing parameter.
 *
 * @param kept names of parameters that became metadata.
 */
export function nameIgnored(
  body: object,
  schema: z.ZodObject,
  kept: readonly string[],
  response: Response,
): void {
  const effective = Object.keys(schema.shape).filter((name) => !withoutEffect.includes(name));
  const ignored = ignoredFields(body, [...effective, ...kept]);
  if (ignored.length > 0) response.set("Atelier-Ignored", ignored.join(", "));
}

/** Lists parameters of a body that are not among the known ones. */
export function ignoredFields(body: object, known: readonly string[]): string[] {
  return Object.entries(body)
    .filter(
      ([name, value]) =>
        value != null && value !== "auto" && !known.includes(name) && plainName.test(name),
    )
    .slice(0, maxNames)
    .map(([name]) => name);
}
