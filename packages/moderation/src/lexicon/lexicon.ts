import { readFileSync } from "node:fs";
import type { LanguageCode } from "../language/language-codes.ts";
import { loadLanguageDetector, type TextLanguage } from "../language/language-of-text.ts";
import {
  loadOrdinaryPairs,
  loadOrdinaryWords,
  repairedLanguages,
} from "../language/ordinary-words.ts";
import { isEnding } from "./endings.ts";
import {
  coreFlag,
  decodeTables,
  floorFlag,
  unpackEntry,
  unpackLine,
  type LexiconTables,
  type WordEntry,
} from "./index-file.ts";
import { openLetterTrie, type LetterTrie } from "./letter-trie.ts";
import { openPhraseTrie, type PhraseTrie } from "./phrase-trie.ts";

export type { WordEntry };

export interface Lexicon {
  /** Phrases as paths of keys. */
  readonly phrases: PhraseTrie;
  /** Returns the meaning of a line of the vocabulary. */
  readonly meaningOf: (line: number) => ReturnType<typeof unpackLine>;
  /** All words of all phrases, letter by letter. */
  readonly words: LetterTrie;
  /** Whether core words, or words of the legal floor, end at a node of `words` or below it. */
  readonly leadsToCore: (node: number) => boolean;
  readonly leadsToFloor: (node: number) => boolean;
  /** The nodes two letters below the root that a code unit leads to and that lead to the floor. */
  readonly floorNodesBySecond: (code: number) => readonly number[];
  /** The word, stem or prefix of an entry. */
  readonly wordOf: (key: number) => string;
  /** The entries that end at a node of `words`. */
  readonly entriesAt: (node: number) => readonly WordEntry[];
  /** Whether any language has a word, or a pair of words, that looks like a disguise of another. */
  readonly isOrdinary: (words: string) => boolean;
  /** The languages that have a word in an ordinary sense. */
  readonly ordinaryIn: (word: string) => readonly LanguageCode[];
  /** Whether there is a list of the ordinary words of a language. */
  readonly hasWordList: (language: LanguageCode) => boolean;
  /** Estimates the language of a text from its letters. */
  readonly languageOf: (text: string) => TextLanguage;
}

const none: readonly never[] = [];

function readData(name: string): Buffer {
  return readFileSync(new URL(`../../data/${name}`, import.meta.url));
}

/** The knowledge of languages that a vocabulary is read with. */
type LanguageKnowledge = Pick<Lexicon, "isOrdinary" | "ordinaryIn" | "hasWordList" | "languageOf">;

const unknownLanguage: TextLanguage = {
  language: undefined,
  isSure: false,
  points: () => 0,
  isLikelier: () => false,
  canBe: () => true,
};

/** No knowledge of languages: every word counts as it is read. */
export const noLanguages: LanguageKnowledge = {
  isOrdinary: () => false,
  ordinaryIn: () => [],
  hasWordList: () => true,
  languageOf: () => unknownLanguage,
};

/**
 * The compiled vocabulary and the ordinary words, from data/. Reads them once.
 *
 * @throws Error for an index that was written for other concepts or languages.
 */
export function loadLexicon(): Lexicon {
  lexicon ??= readLexicon();
  return lexicon;
}

let lexicon: Lexicon | undefined;

function readLexicon(): Lexicon {
  const { languagesOf } = loadOrdinaryWords();
  const pairs = loadOrdinaryPairs();
  return openLexicon(decodeTables(readData("lexicon.bin")), {
    isOrdinary: (words) => pairs.has(words) || languagesOf(words).length > 0,
    ordinaryIn: languagesOf,
    hasWordList: (language) => repairedLanguages.has(language),
    languageOf: loadLanguageDetector().languageOf,
  });
}

/** A lexicon over compiled tables; entries are unpacked when they are first used. */
export function openLexicon(tables: LexiconTables, languages: LanguageKnowledge): Lexicon {
  const { entries, firstEntries, meanings } = tables;
  const unpacked: (readonly WordEntry[] | undefined)[] = Array.from({
    length: firstEntries.length,
  });

  function entriesAt(node: number): readonly WordEntry[] {
    const first = firstEntries[node] ?? 0;
    const end = firstEntries[node + 1] ?? 0;
    if (first >= end) return none;
    let found = unpacked[node];
    if (found === undefined) {
      found = Array.from(entries.subarray(first, end), (packed, at) =>
        unpackEntry(packed, first + at),
      );
      unpacked[node] = found;
    }
    return found;
  }

  function wordOf(key: number): string {
    let word = "";
    for (let node = lastAtMost(firstEntries, key); node !== 0;) {
      word = String.fromCharCode(words.code(node)) + word;
      node = lastAtMost(tables.firstChildren, node);
    }
    return word;
  }

  const words = openLetterTrie(tables.codes, tables.firstChildren);
  const flags = flagsBelow(tables);
  const leadsToFloor = (node: number): boolean => ((flags[node] ?? 0) & floorFlag) !== 0;

  // The grandchildren of the root are neighbours.
  const bySecond = new Map<number, number[]>();
  const firstOfThird = words.firstChild(words.firstChild(1));
  for (let node = words.firstChild(1); node < firstOfThird; node += 1) {
    if (!leadsToFloor(node)) continue;
    const code = words.code(node);
    const known = bySecond.get(code);
    if (known === undefined) bySecond.set(code, [node]);
    else known.push(node);
  }

  const unpackedLines: ReturnType<typeof unpackLine>[] = [];

  return {
    phrases: openPhraseTrie(tables, entries.length),
    meaningOf: (line) => (unpackedLines[line] ??= unpackLine(meanings[line] ?? 0)),
    words,
    leadsToCore: (node) => ((flags[node] ?? 0) & coreFlag) !== 0,
    leadsToFloor,
    floorNodesBySecond: (code) => bySecond.get(code) ?? none,
    entriesAt,
    wordOf,
    ...languages,
  };
}

/** The last index of a number that is at most `limit`, among ascending numbers. */
function lastAtMost(numbers: Uint32Array, limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The flags of all entries at each node and below it. */
function flagsBelow({ firstChildren, firstEntries, entries }: LexiconTables): Uint8Array {
  const flags = new Uint8Array(firstChildren.length);
  // Children have larger numbers than their parents.
  for (let node = firstChildren.length - 2; node >= 0; node -= 1) {
    let below = 0;
    const lastChild = firstChildren[node + 1] ?? 0;
    const lastEntry = firstEntries[node + 1] ?? 0;
    for (let at = firstEntries[node] ?? 0; at < lastEntry; at += 1) below |= entries[at] ?? 0;
    for (let at = firstChildren[node] ?? 0; at < lastChild; at += 1) below |= flags[at] ?? 0;
    flags[node] = below;
  }
  return flags;
}

/** Returns the entries of a word in the vocabulary, by exact form, stem or prefix. */
export function entriesOf(word: string, { words, entriesAt }: Lexicon): WordEntry[] {
  const found: WordEntry[] = [];
  let node = 0;
  for (let at = 0; at < word.length; at += 1) {
    node = words.step(node, word.charCodeAt(at));
    if (node === 0) return found;
    const isEnd = at === word.length - 1;
    for (const entry of entriesAt(node)) {
      if (isEnd || fits(entry, word, at + 1)) found.push(entry);
    }
  }
  return found;
}

function fits({ open, language }: WordEntry, word: string, end: number): boolean {
  if (open === "exact") return false;
  return open === "prefix" || isEnding(word.slice(end), language);
}
