const maxWords = 400;

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}

/** A phrase and its replacement. */
export interface Replacement {
  readonly phrase: string;
  readonly by: string;
}

/**
 * Replaces several phrases, longest first, so that "Mira", "Mira Stone" and "Mira's house" are each
 * matched as meant.
 */
export function replacePhrases(text: string, replacements: readonly Replacement[]): string {
  return replacements
    .toSorted((a, b) => b.phrase.trim().length - a.phrase.trim().length)
    .reduce((replaced, { phrase, by }) => replacePhrase(replaced, phrase, by), text);
}

/** Replaces every occurrence of a phrase, ignoring case and spacing. */
function replacePhrase(text: string, phrase: string, replacement: string): string {
  const words = phrase.trim().split(/\s+/u).slice(0, maxWords).map(escapePattern);
  if (words.length === 0 || words[0] === "") return text;
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}])${words.join(String.raw`\s+`)}(?![\p{L}\p{N}])`,
    "giu",
  );
  return text.replaceAll(pattern, replacement);
}
