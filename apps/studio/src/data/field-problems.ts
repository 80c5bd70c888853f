import { ApiError } from "../api.ts";

/** The problems of a refused request. */
export interface Problems {
  /** The problem at a field such as `budget`, or at a property of it. */
  at(field: string): string | undefined;
  /** The error when none of its problems belongs to one of the fields; null otherwise. */
  readonly other: unknown;
}

/**
 * Sorts the problems of an error by the fields of a form.
 *
 * @param fields paths of the fields that show their problem themselves.
 */
export function problemsOf(error: unknown, fields: readonly string[]): Problems {
  const found = new Map<string, string>();
  for (const { path, message } of error instanceof ApiError ? error.fieldProblems : []) {
    const field = fields.find((name) => path === name || path.startsWith(`${name}.`));
    if (field !== undefined && !found.has(field)) found.set(field, asSentence(message));
  }
  return { at: (field) => found.get(field), other: found.size > 0 ? null : error };
}

/** Messages of details begin in lower case, as the rest of a sentence. */
function asSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
