import { termKinds } from "../accept/search-terms.ts";

/** The shortest beginning of a word that is sought; a shorter last word must be a whole one. */
const shortestPrefix = 2;

/** Parameters of `matchesWords`. */
export const wordParameters = ["words", "lastWord", "isLikeTerm"] as const;

/** The values of `wordParameters` for the text of a search. */
export function wordValues(q: string): {
  readonly words: string;
  readonly lastWord: string;
  readonly isLikeTerm: boolean;
} {
  const text = q.trim();
  const last = /(?<!\S)\S+$/u.exec(text)?.[0] ?? "";
  if (last.length < shortestPrefix) return { words: text, lastWord: "", isLikeTerm: false };
  const parts = last.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const isLikeTerm = parts.some(
    (part) => part !== "" && termKinds.some((kind) => kind.startsWith(part)),
  );
  return { words: text.slice(0, -last.length), lastWord: last, isLikeTerm };
}

/**
 * The last word as a query for words that begin with it. Postgres itself splits and quotes the text, such as
 * `'light-hou' & 'light' & 'hou'`; then each word gets `:*`.
 */
const lastWord = `regexp_replace(plainto_tsquery('simple', :lastWord)::text, '''(?:[^'']|'''')*''', '\\&:*', 'g')::tsquery`;

/**
 * SQL that is true for jobs with all of the words, the last of which may be the beginning of one, and with all
 * exact terms (parameter `terms`).
 *
 * A beginning such as `mod` is also that of the exact terms `model:…` of every job: those have no position in
 * the text and are filtered out. `CASE` keeps the planner from expecting few jobs from this filter.
 *
 * @param column the search terms of a job.
 */
export function matchesWords(column: string): string {
  return `(${column} @@ (plainto_tsquery('simple', :words) && ${lastWord} && :terms::tsquery)
       AND (NOT :isLikeTerm::boolean
            OR CASE WHEN ts_filter(${column}, '{c,d}') @@ ${lastWord} THEN true ELSE false END))`;
}

/**
 * SQL that is true for jobs whose own text has the words. It is for callers that may not read the jobs whose images
 * they change: their searches would reveal the texts of those jobs. It is a filter after `matchesWords`.
 *
 * @param column the search terms of a job.
 */
export function hasOwnWords(column: string): string {
  const query = `(plainto_tsquery('simple', :words) && ${lastWord})`;
  return `CASE WHEN numnode(${query}) = 0 OR ts_filter(${column}, '{d}') @@ ${query} THEN true ELSE false END`;
}
