import { AppError, invalidRequest, parseRequest } from "@atelier/schemas";
import type { Request, Response } from "express";
import type * as z from "zod";
import { readMetadata } from "./read-metadata.ts";

/** Names in the header; a body may have thousands. */
const maxNames = 20;

/** Names that can be sent in a header; OpenAI's parameters are among them. */
const plainName = /^[\w.[\]-]{1,64}$/;

/** Parameters of the schemas that have no effect, or only if their values fit. */
const withoutEffect = ["quality", "metadata", "user", "safety_identifier"];

/** The parameters of a request, and where those without an effect are named. */
export interface SentParameters {
  readonly request: Request;
  readonly response: Response;
  readonly sent: object;
  /** Names of the parameters that have an effect with some model. */
  readonly effective: readonly string[];
}

/**
 * Reads the parameters of a request, and names those that have no effect with any model.
 *
 * @param fields JSON, or the fields of a form.
 * @param sent the same, and what else was sent with it.
 * @throws AppError `invalid_request`.
 */
export function readParameters<Schema extends z.ZodObject>(
  schema: Schema,
  { request, response }: Pick<SentParameters, "request" | "response">,
  fields: object,
  sent = fields,
): { readonly body: z.infer<Schema>; readonly parameters: SentParameters } {
  const { metadata, kept } = readMetadata(fields);
  const names = Object.keys(schema.shape).filter((name) => !withoutEffect.includes(name));
  const parameters = { request, response, sent, effective: [...names, ...kept] };
  const body = { ...parseRequest(schema, fields), metadata };
  nameIgnored(parameters);
  return { body, parameters };
}

/**
 * Names the parameters of a request that have no effect in the header `Atelier-Ignored`. Null and `auto` are
 * the same as a missing parameter.
 *
 * @param parts names of parts of effective parameters that have no effect.
 * @throws AppError `invalid_request` for a request with `Atelier-Strict: true`.
 */
export function nameIgnored(
  { request, response, sent, effective }: SentParameters,
  parts: readonly string[] = [],
): void {
  const ignored = [...ignoredFields(sent, effective), ...parts].slice(0, maxNames);
  if (ignored.length === 0) return;
  if (isStrict(request)) throw refuseIgnored(ignored);
  response.set("Atelier-Ignored", ignored.join(", "));
}

/** Whether a request asks for strictness: by any value of the header but `false` and `0`. */
function isStrict(request: Request): boolean {
  return !/^(?:false|0|)$/i.test(request.get("Atelier-Strict")?.trim() ?? "");
}

function refuseIgnored(names: readonly string[]): AppError {
  const message = "is without effect, which Atelier-Strict does not allow: remove it";
  const problems = names.map((path) => ({ path, code: "without_effect", message }));
  return invalidRequest(...problems);
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
