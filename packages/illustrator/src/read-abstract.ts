import type { Colour } from "./colour.ts";
import { colourAt, coloursAfter } from "./read-colour.ts";
import type { Mention } from "./mention.ts";
import type { Mood, Place } from "./scene.ts";
import { tokensOf } from "./tokens.ts";
import { wordSet } from "./vocabulary/word-forms.ts";

/** Families whose words describe how something is shown, and name nothing to show. */
const describing: ReadonlySet<string> = new Set([
  "absent",
  "hairShape",
  "part",
  "pose",
  "season",
  "style",
]);

/** Words that set the mood of a composition, folded; the first match in the text wins. */
const moodWords: Readonly<Record<Mood, ReadonlySet<string>>> = {
  calm: wordSet(
    "calm quiet serene gentle peaceful soft still silence harmony meditation ruhe ruhig still calme doux tranquilo calma sereno quieto",
  ),
  lively: wordSet(
    "lively joy joyful happy cheerful energetic energy dynamic chaos wild explosive rhythm jazz music freude wild joie vif alegria alegre gioia energia",
  ),
  dark: wordSet(
    "dark gloomy sad sadness melancholy grief fear lonely loneliness sombre mysterious dunkel traurig trauer angst triste sombre oscuro scuro escuro tristeza medo paura",
  ),
};

const maxColours = 6;

/**
 * Returns the abstract composition, with the described colours and mood, for a prompt without a
 * known noun; null if a noun is known.
 */
export function readAbstract(
  text: string,
  mentions: readonly Mention[],
): Extract<Place, { kind: "abstract" }> | null {
  if (mentions.some(({ family }) => !describing.has(family))) return null;
  const words = tokensOf(text).map(({ word }) => word);
  const colours = coloursOf(words);
  const moods = words.flatMap((word) => moodOf(word) ?? []);
  return {
    kind: "abstract",
    colours: [...new Set(colours)].slice(0, maxColours),
    mood: moods[0] ?? null,
  };
}

function coloursOf(words: readonly string[]): Colour[] {
  const colours: Colour[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const before = colourAt(word, words[index + 1] ?? "");
    const colour = before?.colour ?? coloursAfter.get(word);
    if (colour !== undefined) colours.push(colour);
    // "Dark blue" is one colour in two words.
    index += (before?.length ?? 1) - 1;
  }
  return colours;
}

function moodOf(word: string): Mood | undefined {
  return (["calm", "lively", "dark"] as const).find((mood) => moodWords[mood].has(word));
}
