import { isEnding } from "./endings.ts";
import type { Lexicon } from "./lexicon.ts";

/** The cheapest way to read the letters up to a place. */
interface Reading {
  readonly cost: number;
  /** Where its last word or phrase begins. */
  readonly from: number;
  /** Where each word of that phrase ends. */
  readonly ends: readonly number[];
  readonly hasPhrase: boolean;
  readonly words: number;
}

/** A phrase of which some words have been read. */
interface OpenPhrase {
  readonly branch: number;
  readonly start: Reading;
  readonly from: number;
  readonly ends: readonly number[];
}

const shortestText = 6;
const shortestWord = 3;
const shortestStem = 4;
const longestEnding = 3;
const wordCost = 1;
const coreWordCost = 0.5;
const phraseCost = 0.5;
/** Bounds the work per letter. */
const maxOpenPhrases = 64;
/** Without a phrase, fewer words and letters are often an ordinary word that looks like several. */
const fewestWords = 3;
const fewestLetters = 12;

/**
 * The words of letters without spaces ("looksliketherealthing"), when the vocabulary covers every
 * letter: with a phrase of several words, or with three words and more. Linear in the number of
 * letters.
 */
export function splitJoinedWords(letters: string, lexicon: Lexicon): readonly string[] | undefined {
  const { length } = letters;
  if (length < shortestText) return undefined;
  const { words, entriesAt, phrases } = lexicon;
  const readings: (Reading | undefined)[] = [
    { cost: 0, from: 0, ends: [], hasPhrase: false, words: 0 },
  ];
  const open: (OpenPhrase[] | undefined)[] = [];
  let furthest = 0;

  function offer(to: number, start: Reading, cost: number, from: number, ends: number[]): void {
    const total = start.cost + cost;
    const known = readings[to];
    if (known !== undefined && known.cost <= total) return;
    const hasPhrase = start.hasPhrase || ends.length > 1;
    readings[to] = { cost: total, from, ends, hasPhrase, words: start.words + ends.length };
    if (to > furthest) furthest = to;
  }

  function addOpen(to: number, phrase: OpenPhrase): void {
    if (to === length) return;
    const known = open[to];
    if (known === undefined) open[to] = [phrase];
    else if (known.length < maxOpenPhrases) known.push(phrase);
    if (to > furthest) furthest = to;
  }

  for (let from = 0; from < length && from <= furthest; from += 1) {
    const start = readings[from];
    const phrasesHere = open[from];
    if (start === undefined && phrasesHere === undefined) continue;
    let node = 0;
    for (let at = from; at < length; at += 1) {
      node = words.step(node, letters.charCodeAt(at));
      if (node === 0) break;
      for (const { key, open: end, language, stem, isCore, isFiller } of entriesAt(node)) {
        const isLong = isFiller || stem >= (end === "exact" ? shortestWord : shortestStem);
        const last = end === "exact" ? 0 : longestEnding;
        for (let to = at + 1; to <= Math.min(length, at + 1 + last); to += 1) {
          if (to > at + 1 && !isEnding(letters.slice(at + 1, to), language)) continue;
          if (start !== undefined) {
            if (isLong) offer(to, start, isCore ? coreWordCost : wordCost, from, [to]);
            const branch = phrases.next(0, key);
            if (branch !== 0) addOpen(to, { branch, start, from, ends: [to] });
          }
          for (const phrase of phrasesHere ?? []) {
            const branch = phrases.next(phrase.branch, key);
            if (branch === 0) continue;
            const ends = [...phrase.ends, to];
            addOpen(to, { ...phrase, branch, ends });
            if (phrases.firstEnd(branch) < phrases.firstEnd(branch + 1)) {
              offer(to, phrase.start, phraseCost, phrase.from, ends);
            }
          }
        }
      }
    }
  }

  const all = readings[length];
  if (all === undefined || all.words < 2) return undefined;
  if (!all.hasPhrase && (all.words < fewestWords || length < fewestLetters)) return undefined;
  const found: string[] = [];
  for (let to = length; to > 0;) {
    const { from, ends } = readings[to] ?? { from: 0, ends: [] };
    const parts = ends.map((end, at) => letters.slice(ends[at - 1] ?? from, end));
    found.unshift(...parts);
    to = from;
  }
  return found;
}
