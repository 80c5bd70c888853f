import { createHash } from "node:crypto";
import { concepts, type Concept } from "./concepts.ts";
import { languages, type Language } from "./endings.ts";
import type { PhraseArrays } from "./phrase-trie.ts";

/** A word of the vocabulary, or the beginning that its forms share. */
export interface WordEntry {
  /** Number of the word, the stem of a language, or the prefix; phrases are sequences of keys. */
  readonly key: number;
  readonly language: Language;
  readonly open: (typeof ends)[number];
  /** Letters without the ending. */
  readonly stem: number;
  /** Worth hiding by itself: disguises of it are undone. */
  readonly isCore: boolean;
  /** Worth misspelling or writing together with others: what the legal floor is about. */
  readonly isFloor: boolean;
  /** A common word that stands between others when a whole text is written as one word. */
  readonly isFiller: boolean;
  /** A German word, which may have been written with ae, oe or ue. */
  readonly isGerman: boolean;
}

/** Bits of a packed entry. */
export const coreFlag = 1;
export const floorFlag = 2;
const fillerFlag = 4;
const germanFlag = 8;

const ends = ["exact", "stem", "prefix"] as const;

/** The compiled vocabulary. */
export interface LexiconTables extends PhraseArrays {
  /** A trie of letters, see letter-trie.ts. */
  readonly codes: Uint32Array;
  readonly firstChildren: Uint32Array;
  /** The first entry of each node of it, and the number of entries at the end. */
  readonly firstEntries: Uint32Array;
  /** Words by key, see {@link packEntry}. */
  readonly entries: Uint32Array;
  /** Vocabulary lines by number, see {@link packLine}. */
  readonly meanings: Uint32Array;
}

/** Their order in the file. */
const sections = [
  "codes",
  "firstChildren",
  "firstEntries",
  "entries",
  "firstEdges",
  "edgeKeys",
  "edgeTargets",
  "firstEnds",
  "lines",
  "meanings",
] as const satisfies readonly (keyof LexiconTables)[];

export function packEntry(entry: Omit<WordEntry, "key">): number {
  return (
    (entry.isCore ? coreFlag : 0) |
    (entry.isFloor ? floorFlag : 0) |
    (entry.isFiller ? fillerFlag : 0) |
    (entry.isGerman ? germanFlag : 0) |
    (ends.indexOf(entry.open) << 4) |
    (languages.indexOf(entry.language) << 8) |
    (entry.stem << 16)
  );
}

export function unpackEntry(packed: number, key: number): WordEntry {
  return {
    key,
    language: languages[(packed >>> 8) & 0xff] ?? "any",
    open: ends[(packed >>> 4) & 0xf] ?? "exact",
    stem: packed >>> 16,
    isCore: (packed & coreFlag) !== 0,
    isFloor: (packed & floorFlag) !== 0,
    isFiller: (packed & fillerFlag) !== 0,
    isGerman: (packed & germanFlag) !== 0,
  };
}

/** One line of the vocabulary, as what it means. */
export interface Meaning {
  readonly concept: Concept;
  /** The language whose vocabulary has the line; `any` for names and signs. */
  readonly language: Language;
  /** Counts only at the beginning of a word, in scripts that are matched character by character. */
  readonly isAnchored: boolean;
}

export function packLine({ concept, language, isAnchored }: Meaning): number {
  return (
    (concepts.indexOf(concept) << 16) | (languages.indexOf(language) << 8) | (isAnchored ? 1 : 0)
  );
}

export function unpackLine(packed: number): Meaning {
  const concept = concepts[packed >>> 16];
  if (concept === undefined) throw new Error(`no concept has the number ${packed >>> 16}`);
  const language = languages[(packed >>> 8) & 0xff] ?? "any";
  return { concept, language, isAnchored: (packed & 1) === 1 };
}

/** Changes with the layout of the packed numbers. */
const layout = "2";

/** Hash of everything that the numbers of concepts and languages in a file depend on. */
function fingerprint(): number {
  return createHash("sha256")
    .update([layout, ...concepts, ...languages].join())
    .digest()
    .readUInt32LE();
}

/** 32-bit numbers: a fingerprint, then each section as its length and its numbers. */
export function encodeTables(tables: LexiconTables): Uint8Array {
  const numbers = [fingerprint()];
  for (const section of sections) {
    numbers.push(tables[section].length);
    for (const number of tables[section]) numbers.push(number);
  }
  return new Uint8Array(Uint32Array.from(numbers).buffer);
}

/** @throws Error for a file that was written for other concepts or languages, or is not complete. */
export function decodeTables(file: Uint8Array): LexiconTables {
  const numbers = new Uint32Array(new Uint8Array(file).buffer, 0, file.length >>> 2);
  let at = 1;
  let isComplete = numbers[0] === fingerprint();
  const read = (): Uint32Array => {
    const start = at + 1;
    at = start + (numbers[at] ?? 0);
    isComplete &&= at <= numbers.length;
    return numbers.subarray(start, at);
  };
  const tables = Object.fromEntries(sections.map((section) => [section, read()])) as Record<
    (typeof sections)[number],
    Uint32Array
  >;
  if (!isComplete || at !== numbers.length) {
    throw new Error(
      "data/lexicon.bin does not fit the code. Run node packages/moderation/generate/lexicon.ts.",
    );
  }
  return tables;
}
