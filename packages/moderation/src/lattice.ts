import type { Lexicon } from "./lexicon.ts";
import { looksStretched, readLeet } from "./normalise.ts";
import type { Token, TokenisedText } from "./tokenise.ts";

/** One way to read the tokens from a place on: as this word, which reaches to `end` (exclusive). */
export interface Reading {
  readonly word: string;
  readonly end: number;
}

const longestWord = 24;
const separators = /[.\-_~·•+/\\'’`´]/gu;
const leetSigns = /[\p{N}@$!|]/u;
const anyLetter = /\p{L}/u;
/** Small words between letters that stand apart: "a n u d e o n a b e d". */
const smallWords = new Set(
  "a an the of on in at with and for to her his my is no un una une la le de die der das ein eine e il uma".split(
    " ",
  ),
);

/** Half of a word written as one ("kidnude") is four letters or more, or one of these. */
const shortHalves = new Set(["kid", "boy", "sex", "nua"]);

/** Other spellings of one word: repeated letters, ae for ä. */
function spellings(word: string, lexicon: Lexicon): string[] {
  const found: string[] = [];
  if (word.length > 2 * longestWord) return found;
  if (looksStretched(word)) found.push(...lexicon.stretched(word));
  if (/[aou]e/u.test(word)) {
    const umlauts = word.replace(/([aou])e/gu, "$1");
    if (lexicon.isGerman(umlauts)) found.push(umlauts);
  }
  return found;
}

/** Two words of the vocabulary written as one ("nudegirl"): where the second begins, or undefined. */
function seam(word: string, lexicon: Lexicon): number | undefined {
  if (word.length < 7 || word.length > longestWord || lexicon.isKnown(word)) return undefined;
  for (let at = 3; at <= word.length - 3; at += 1) {
    const short = Math.min(at, word.length - at) === 3;
    if (short && !shortHalves.has(word.slice(0, 3)) && !shortHalves.has(word.slice(-3))) continue;
    if (lexicon.isCompoundPart(word.slice(0, at)) && lexicon.isCompoundPart(word.slice(at))) {
      return at;
    }
  }
  return undefined;
}

/** More words that are no halves: "5 min or more", "the top less travelled". */
const wholeWords = new Set("or por per des less some trees es job jobs e i o u y".split(" "));

/** Two neighbours that are only together a word worth hiding ("na ked"), or undefined. */
function joinHalves(left: Token, right: Token | undefined, lexicon: Lexicon): string | undefined {
  if (right === undefined || right.clause !== left.clause || right.wideGap) return undefined;
  const word = left.word + right.word;
  if (word.length < 5 || word.length > longestWord || !lexicon.isDisguised(word)) return undefined;
  const halves = [left.word, right.word];
  const whole = halves.some(
    (half) => lexicon.isDisguised(half) || smallWords.has(half) || wholeWords.has(half),
  );
  return whole || halves.every((half) => lexicon.isKnown(half)) ? undefined : word;
}

/** Splits letters that were spaced out into words that are all known; the fewest words win. */
function segment(letters: string, lexicon: Lexicon): number[] | undefined {
  const best: ({ readonly from: number; readonly words: number } | undefined)[] = [
    { from: 0, words: 0 },
  ];
  let furthest = 0;
  for (let from = 0; from <= furthest && from < letters.length; from += 1) {
    const before = best[from];
    if (before === undefined) continue;
    const words = before.words + 1;
    const last = Math.min(letters.length, from + longestWord);
    for (let end = from + 1; end <= last; end += 1) {
      if (words >= (best[end]?.words ?? Number.POSITIVE_INFINITY)) continue;
      const word = letters.slice(from, end);
      const known = smallWords.has(word) || (word.length >= 3 && lexicon.isKnown(word));
      if (!known) continue;
      best[end] = { from, words };
      furthest = Math.max(furthest, end);
    }
  }
  if (best[letters.length] === undefined) return undefined;
  const cuts: number[] = [];
  for (let end = letters.length; end > 0; end = best[end]?.from ?? 0) cuts.push(end);
  return cuts.toReversed();
}

/** Runs of three or more single characters ("n u d e", "n.u.d.e"), as [start, end) of tokens. */
function spacedRuns(tokens: readonly Token[]): [number, number][] {
  const runs: [number, number][] = [];
  let start = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    const inRun = token !== undefined && token.word.length === 1 && !(at > start && token.wideGap);
    if (inRun) continue;
    if (at - start >= 3) runs.push([start, at]);
    start = token !== undefined && token.word.length === 1 ? at : at + 1;
  }
  return runs;
}

/**
 * Every way to read a text: word by word as it stands, and with disguises undone (leet, letters
 * apart, words cut in two, repeated letters, asterisks). `readings[i]` are those that begin at token `i`.
 */
export function readText(text: TokenisedText, lexicon: Lexicon): Reading[][] {
  const { tokens, groups } = text;
  const readings: Reading[][] = tokens.map((token, at) => {
    const here: Reading[] = [{ word: token.word, end: at + 1 }];
    for (const word of spellings(token.word, lexicon)) here.push({ word, end: at + 1 });
    const cut = seam(token.word, lexicon);
    if (cut !== undefined) {
      here.push({ word: token.word.slice(0, cut), end: at + 1 });
      here.push({ word: token.word.slice(cut), end: at + 1 });
    }
    const joined = joinHalves(token, tokens[at + 1], lexicon);
    if (joined !== undefined) here.push({ word: joined, end: at + 2 });
    return here;
  });

  for (const group of groups) {
    const joined = group.text.replace(separators, "");
    if (joined.length > longestWord || !anyLetter.test(joined)) continue;
    const plain = joined.replaceAll("*", "");
    const direct = joined.includes("*") ? [...lexicon.masked(joined), plain] : [plain];
    if (leetSigns.test(plain)) direct.push(readLeet(plain, "i"), readLeet(plain, "l"));
    const words = new Set(direct);
    for (const word of direct) {
      for (const other of spellings(word, lexicon)) words.add(other);
      const cut = seam(word, lexicon);
      if (cut !== undefined) words.add(word.slice(0, cut)).add(word.slice(cut));
    }
    for (const word of words) readings[group.start]?.push({ word, end: group.end });
  }

  for (const [start, end] of spacedRuns(tokens)) {
    const letters = tokens.slice(start, end).map((token) => token.word);
    if (letters.filter((letter) => anyLetter.test(letter)).length < 2) continue;
    for (const one of ["i", "l"] as const) {
      const word = readLeet(letters.join(""), one);
      // An emoji counts as one token but not as one letter.
      if (word.length !== letters.length) continue;
      let from = 0;
      for (const cut of segment(word, lexicon) ?? []) {
        readings[start + from]?.push({ word: word.slice(from, cut), end: start + cut });
        from = cut;
      }
      if (!letters.includes("1")) break;
    }
  }
  return readings;
}
