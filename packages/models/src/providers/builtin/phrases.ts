const mostWords = 400;

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}

/** The text with every occurrence of a phrase replaced, whatever its case and spacing. */
export function replacePhrase(text: string, phrase: string, replacement: string): string {
  const words = phrase.trim().split(/\s+/u).slice(0, mostWords).map(escapePattern);
  if (words.length === 0 || words[0] === "") return text;
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}])${words.join(String.raw`\s+`)}(?![\p{L}\p{N}])`,
    "giu",
  );
  return text.replaceAll(pattern, replacement);
}
