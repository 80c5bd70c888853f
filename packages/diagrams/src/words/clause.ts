/** A clause: what does what to what. */
export interface Clause {
  readonly subject: string;
  /** The label of its arrow: the verb with what belongs to it. */
  readonly verb: string;
  readonly object: string;
}

/** Longer clauses are not read: their subject and verb cannot be told apart by single words. */
export const maxWords = 40;

/** A set of the words of a text, which are separated by spaces. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** The longest label that has more than the verb, in characters. */
const maxLabel = 40;

/** Joins a verb with what belongs to it; the verb alone if that is too long. */
export function labelOf(verb: string, ...others: readonly string[]): string {
  const label = [verb, ...others].filter((part) => part !== "").join(" ");
  return label.length > maxLabel ? verb : label;
}
