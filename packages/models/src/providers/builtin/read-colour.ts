import type { Colour } from "./colour.ts";
import { colourWords } from "./vocabulary/modifiers.ts";

/** Colours by the words that stand before their noun. */
export const coloursBefore = new Map<string, Colour>();
/** Colours by the words that follow their noun. */
export const coloursAfter = new Map<string, Colour>();
for (const { colour, words, after } of Object.values(colourWords)) {
  for (const word of words.split(" ")) coloursBefore.set(word, colour);
  for (const word of after.split(" ")) if (word !== "") coloursAfter.set(word, colour);
}

/** The colour that a word is, or begins, such as "dark blue"; and of how many words it is. */
export function colourAt(word: string, next: string): { colour: Colour; length: number } | null {
  const pair = coloursBefore.get(`${word}_${next}`);
  if (pair !== undefined) return { colour: pair, length: 2 };
  const single = coloursBefore.get(word) ?? coloursBefore.get(word.replace(/s$/u, ""));
  return single === undefined ? null : { colour: single, length: 1 };
}
