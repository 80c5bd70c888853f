import { readFileSync } from "node:fs";
import { languageCodes, type LanguageCode } from "./language-codes.ts";

/** Words of ordinary language that the vocabulary would find something in, see data/ordinary/README.md. */
export interface OrdinaryWords {
  /**
   * The languages that have a word; empty for a word in no list.
   *
   * @param word as `normalise` writes it.
   */
  readonly languagesOf: (word: string) => readonly LanguageCode[];
}

/** Languages with a list of ordinary words. */
export const ordinaryLanguages = [
  "ar",
  "be",
  "bg",
  "ca",
  "cs",
  "da",
  "de",
  "el",
  "en",
  "es",
  "et",
  "eu",
  "fa",
  "fi",
  "fr",
  "hr",
  "hu",
  "is",
  "it",
  "lt",
  "lv",
  "ms",
  "nl",
  "no",
  "pl",
  "pt",
  "ro",
  "ru",
  "sk",
  "sl",
  "sq",
  "sr",
  "sv",
  "tl",
  "tr",
  "uk",
  "ur",
  "vi",
] as const satisfies readonly LanguageCode[];

/**
 * Languages whose list is large enough to repair words in: it comes from a dictionary with inflected forms,
 * or, for German and Italian, has about 50,000 frequent forms. The lists of the others have fewer forms, or
 * only function words and names of things, so that a word in no list may be ordinary all the same.
 */
export const repairedLanguages: ReadonlySet<LanguageCode> = new Set<LanguageCode>([
  "ar",
  "da",
  "de",
  "el",
  "en",
  "es",
  "fa",
  "fr",
  "hr",
  "hu",
  "it",
  "lt",
  "nl",
  "pl",
  "pt",
  "ro",
  "ru",
  "sk",
  "sr",
  "tr",
  "uk",
]);

const newline = 10;
const none: readonly LanguageCode[] = [];
/** The longest word of a list has 40 letters, of up to three bytes each. */
const longestBytes = 120;
/** Words take at least three bytes with their line break, so that slots are left over. */
const bytesPerSlot = 2;
const hashStart = 0x811c9dc5;
const hashFactor = 0x01000193;

function readList(name: string): Buffer {
  return readFileSync(new URL(`../../data/ordinary/${name}.txt`, import.meta.url));
}

/** Pairs of English words that look like one word cut in two: "pen is". */
export function loadOrdinaryPairs(): ReadonlySet<string> {
  return new Set(readList("pairs.en").toString("utf8").split("\n").slice(0, -1));
}

/** The lists of all languages. */
export function loadOrdinaryWords(): OrdinaryWords {
  return createOrdinaryWords(ordinaryLanguages.map((language) => [language, readList(language)]));
}

/** @param lists words in UTF-8, each with a line break after it. */
export function createOrdinaryWords(
  lists: readonly (readonly [LanguageCode, Buffer])[],
): OrdinaryWords {
  const bytes = new Uint8Array(lists.reduce((sum, [, list]) => sum + list.length, 0));
  const slotCount = 2 ** Math.ceil(Math.log2(bytes.length / bytesPerSlot + 2));
  // Open addressing: one more than where a word begins among the bytes, or 0; and its languages.
  const slots = new Uint32Array(slotCount);
  const setOfSlot = new Uint16Array(slotCount);
  const sets: (readonly LanguageCode[])[] = [none];
  const unions = new Map<number, number>();

  /** The number of a set with one more language. */
  function withLanguage(set: number, language: LanguageCode): number {
    const key = set * languageCodes.length + languageCodes.indexOf(language);
    let found = unions.get(key);
    if (found === undefined) {
      found = sets.length;
      sets.push([...(sets[set] ?? none), language]);
      unions.set(key, found);
    }
    return found;
  }

  /** The slot of a word, or the free one where it belongs. */
  function slotOf(word: Uint8Array, from: number, to: number, hash: number): number {
    for (let slot = hash & (slotCount - 1); ; slot = (slot + 1) & (slotCount - 1)) {
      const at = (slots[slot] ?? 0) - 1;
      if (at < 0 || isSame(word, from, to, at)) return slot;
    }
  }

  function isSame(word: Uint8Array, from: number, to: number, at: number): boolean {
    const length = to - from;
    for (let byte = 0; byte < length; byte += 1) {
      if (word[from + byte] !== bytes[at + byte]) return false;
    }
    return bytes[at + length] === newline;
  }

  let at = 0;
  for (const [language, list] of lists) {
    bytes.set(list, at);
    const end = at + list.length;
    const alone = withLanguage(0, language);
    while (at < end) {
      const from = at;
      let hash = hashStart;
      for (let byte = bytes[at]; byte !== newline && byte !== undefined; byte = bytes[at]) {
        hash = addToHash(hash, byte);
        at += 1;
      }
      const slot = slotOf(bytes, from, at, hash >>> 0);
      slots[slot] = from + 1;
      const known = setOfSlot[slot] ?? 0;
      setOfSlot[slot] = known === 0 ? alone : withLanguage(known, language);
      at += 1;
    }
  }

  const encoder = new TextEncoder();
  const encoded = new Uint8Array(longestBytes);
  return {
    languagesOf(word) {
      if (word.length === 0 || word.length > longestBytes) return none;
      const { read, written } = encoder.encodeInto(word, encoded);
      if (read < word.length) return none;
      let hash = hashStart;
      for (let byte = 0; byte < written; byte += 1) hash = addToHash(hash, encoded[byte] ?? 0);
      return sets[setOfSlot[slotOf(encoded, 0, written, hash >>> 0)] ?? 0] ?? none;
    },
  };
}

/** One step of FNV-1a. */
function addToHash(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, hashFactor);
}
