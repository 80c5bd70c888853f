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
export const termKinds = ["operation", "model", "request", "metadata"] as const;

/** A regular expression for Postgres that exact terms match, and words do not. */
export const exactTermPattern = `^(${termKinds.join("|")}):[0-9a-f]{32}$`;

/**
 * A term that no word of a text equals, because those contain no colon before letters. Hashed, because
 * terms have a maximum length.
 */
function term(kind: (typeof termKinds)[number], value: string): string {
  return `${kind}:${createHash("sha256").update(value).digest("hex").slice(0, 32)}`;
}
