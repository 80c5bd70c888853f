import type { Mention } from "./mention.ts";
import { colourAt } from "./read-colour.ts";
import type { Token } from "./tokens.ts";
import { conjunctions, definiteArticles, prepositions } from "./vocabulary/grammar.ts";
import { lookUp } from "./vocabulary/index.ts";
import { numberWords } from "./vocabulary/modifiers.ts";

/** A noun of the vocabulary, or a name that the caller asked for. */
export interface FoundNoun {
  readonly noun: Pick<Mention, "family" | "kind">;
  /** The number of words. */
  readonly length: number;
  /** Its words joined by underscores; empty for a name. */
  readonly phrase: string;
}

/** A placeholder that stands for a known name in a text. */
export function nameToken(index: number): string {
  return `xnamex${index}x`;
}

/**
 * Returns the longest run of words from here that is one noun of the vocabulary.
 *
 * @param afterDeterminer whether an article, a number or an adjective precedes it.
 */
export function nounAt(
  words: readonly Token[],
  index: number,
  afterDeterminer: boolean,
): FoundNoun | null {
  const name = /^xnamex(\d+)x$/u.exec(words[index]?.word ?? "");
  if (name !== null)
    return { noun: { family: "name", kind: name[1] ?? "" }, length: 1, phrase: "" };
  for (let length = 4; length >= 1; length -= 1) {
    const run = words.slice(index, index + length);
    if (run.length < length || run.slice(1).some((token) => token.apart)) continue;
    const phrase = run.map((token) => token.word).join("_");
    const noun = lookUp(phrase, afterDeterminer);
    if (noun !== null) return { noun, length, phrase };
  }
  return null;
}

/**
 * Nouns that are not drawn when a thing precedes them: "an ice cream truck", "a sandwich board".
 */
const afterGoods: ReadonlySet<string> = new Set(
  "board booth box wire pole screen shop store stand stall restaurant truck tree field juice wallpaper background pattern tone tones effect look photo photography bat duck".split(
    " ",
  ),
);

/**
 * True if the word at this index continues the previous one: a noun or colour that the previous
 * word modifies.
 */
export function namesAnother(words: readonly Token[], index: number): boolean {
  const next = words[index];
  if (next === undefined || next.apart || next.sentence !== words[index - 1]?.sentence)
    return false;
  if (afterGoods.has(next.word)) return true;
  if (prepositions.has(next.word) || conjunctions.has(next.word)) return false;
  if (colourAt(next.word, words[index + 1]?.word ?? "") !== null)
    return words[index + 1] !== undefined && !words[index + 1]!.apart;
  const noun = nounAt(words, index, true)?.noun;
  return noun !== undefined && noun.family !== "pose" && noun.family !== "name";
}

/** True for "an orange and a lemon", "three oranges"; not for "an orange cat", "an orange and white cat". */
export function standsAlone(words: readonly Token[], index: number): boolean {
  const next = words[index + 1];
  if (next === undefined || next.sentence !== words[index]?.sentence) return true;
  const begins = (word: string): boolean =>
    Object.hasOwn(numberWords, word) || definiteArticles.has(word);
  if (next.apart) return begins(next.word) || conjunctions.has(next.word);
  if (prepositions.has(next.word)) return true;
  if (!conjunctions.has(next.word) && next.word !== "and") return false;
  const at = begins(words[index + 2]?.word ?? "") ? index + 3 : index + 2;
  const noun = words[at + 1];
  return noun === undefined || noun.apart || colourAt(words[at]?.word ?? "", noun.word) === null;
}
