import { createHash } from "node:crypto";
import type { GenerationPlan, Operation } from "@atelier/schemas";

/** Characters of a request whose words are searchable, which bounds the size of the index. */
const maxSearchedLength = 4_000;

/** The texts of a request that a search for words finds. */
interface SearchedRequest {
  readonly prompt?: string;
  readonly setting?: string;
  readonly scenes?: readonly { readonly prompt: string }[];
}

/** The text of a plan whose words are searchable: title, prompt, setting and scenes. */
export function searchedText({
  title,
  request,
}: Pick<GenerationPlan, "title"> & { readonly request: object }): string {
  const { prompt, setting, scenes = [] } = request as SearchedRequest;
  return [title, prompt, setting, ...scenes.map((scene) => scene.prompt)]
    .filter((text) => text != null)
    .join(" ")
    .slice(0, maxSearchedLength)
    .toWellFormed();
}

/**
 * Exact terms of a generation: its operation, its model, the id of its request and each pair of its
 * metadata. The term of an
 * operation contains the account, so that Postgres knows how frequent the operation is in this account.
 */
export function exactTerms({
  accountId,
  operation,
  model,
  requestId,
  metadata = {},
}: {
  readonly accountId: string;
  readonly operation?: Operation | undefined;
  readonly model?: string | undefined;
  readonly requestId?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}): string[] {
  return [
    ...(operation === undefined ? [] : [term("operation", `${accountId}\n${operation}`)]),
    ...(model === undefined ? [] : [term("model", model)]),
    ...(requestId === undefined ? [] : [requestTerm(requestId)]),
    ...Object.entries(metadata).map(([name, value]) => term("metadata", `${name}\n${value}`)),
  ];
}

/** The exact term of the jobs of a request. */
export function requestTerm(requestId: string): string {
  return term("request", requestId);
}

/** The beginnings of exact terms, before a colon. */
export const termKinds = ["operation", "model", "request", "metadata", "source"] as const;

/** A regular expression for Postgres that exact terms match, and words do not. */
export const exactTermPattern = `^(${termKinds.join("|")}):[0-9a-f]{32}$`;

/** The same for those exact terms that are a job's own. */
const ownTermPattern = exactTermPattern.replace("|source", "");

/** Earlier images of a changed image whose words it is found by, which bounds the size of the index. */
const maxSources = 8;

/**
 * SQL for the terms that a job has from the one whose image it changes: its words, those that it has from an
 * earlier one, and which jobs these are, so that the words can be removed with those of any of them. Such
 * words have the weight C, and a job's own the weight D.
 *
 * @param source the search terms of that job, a row of `generation_search`.
 */
export function termsOfSource(source: string): string {
  const earlier = `ARRAY(SELECT lexeme FROM unnest(${source}.terms) WHERE lexeme LIKE 'source:%')`;
  const own = `('source:' || replace(${source}.generation_id::text, '-', ''))`;
  const withWords = (weights: string, terms: string) =>
    `setweight(ts_filter(${source}.terms, '${weights}'), 'C') || array_to_tsvector(${terms})`;
  return `CASE WHEN cardinality(${earlier}) < ${maxSources} THEN ${withWords("{c,d}", `${earlier} || ${own}`)}
               ELSE ${withWords("{d}", `ARRAY[${own}]`)} END`;
}

/** SQL for the search terms of a job without those that it has from other jobs. */
export const ownTerms = `
  ts_filter(terms, '{d}') || array_to_tsvector(ARRAY(
    SELECT lexeme FROM unnest(terms) WHERE lexeme ~ '${ownTermPattern}'))`;

/** The text query for jobs that have terms of any of these jobs. As a parameter, it lets the planner expect few rows. */
export function changesOf(ids: readonly string[]): string {
  return ids.map((id) => `'source:${id.replaceAll("-", "")}'`).join(" | ");
}

/** The job whose image a request changes; null for other requests, and for images that are not of a job. */
export function sourceJobOf({ request }: Pick<GenerationPlan, "request">): string | null {
  const { image } = request as { readonly image?: { readonly job_id?: unknown } };
  return typeof image?.job_id === "string" ? image.job_id : null;
}

/**
 * A term that no word of a text equals, because those contain no colon before letters. Hashed, because
 * terms have a maximum length.
 */
function term(kind: (typeof termKinds)[number], value: string): string {
  return `${kind}:${createHash("sha256").update(value).digest("hex").slice(0, 32)}`;
}
