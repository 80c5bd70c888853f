import type { Colour } from "./colour.ts";
import { lookUp } from "./vocabulary/index.ts";
import { formsOf, type InflectedLanguage } from "./vocabulary/inflect.ts";
import { colourWords } from "./vocabulary/modifiers.ts";

/** Colours by words that precede their noun. */
export const coloursBefore = new Map<string, Colour>();
/** Colours by the words that follow their noun. */
export const coloursAfter = new Map<string, Colour>();
for (const { colour, words, after = "", inflected = {} } of Object.values(colourWords)) {
  for (const word of words.split(" ")) coloursBefore.set(word, colour);
  for (const word of after.split(" ")) if (word !== "") coloursAfter.set(word, colour);
  for (const [language, base] of Object.entries(inflected)) {
    if (!isInflected(language)) continue;
    const [first, ...forms] = formsOf(base, language);
    const colours = language === "de" ? coloursBefore : coloursAfter;
    if (first !== undefined) colours.set(first, colour);
    for (const form of forms) if (!isDrawn(form)) colours.set(form, colour);
  }
}

/** True if a form is also a thing: "naranjas" are oranges. */
function isDrawn(form: string): boolean {
  const noun = lookUp(form, true);
  return noun !== null && noun.family !== "style";
}

function isInflected(language: string): language is InflectedLanguage {
  return ["de", "es", "fr", "it", "pt"].includes(language);
}

/** Returns the colour that starts at a word, such as "dark blue", and its number of words. */
export function colourAt(word: string, next: string): { colour: Colour; length: number } | null {
  const pair = coloursBefore.get(`${word}_${next}`);
  if (pair !== undefined) return { colour: pair, length: 2 };
  const single = coloursBefore.get(word) ?? coloursBefore.get(word.replace(/s$/u, ""));
  return single === undefined ? null : { colour: single, length: 1 };
}
