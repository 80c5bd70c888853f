import { readFileSync } from "node:fs";
import { languageCodes, type LanguageCode } from "./language-codes.ts";
import { decodeNGrams, nGramKey, positions, wordBegin, wordEnd, type NGrams } from "./n-grams.ts";

/** The language of a text, estimated from its letters. */
export interface TextLanguage {
  /** The likeliest language; undefined for a text without letters of a known language. */
  readonly language: LanguageCode | undefined;
  /** Whether it is likelier than every other language by at least 100 points. */
  readonly isSure: boolean;
  /** By how many points one language is likelier than another; negative if it is less likely. */
  readonly points: (language: LanguageCode, other: LanguageCode) => number;
  /** Whether one language is likelier than another by at least 100 points. */
  readonly isLikelier: (language: LanguageCode, other: LanguageCode) => boolean;
  /** Whether no other language is likelier by 100 points; true for a text without letters. */
  readonly canBe: (language: LanguageCode) => boolean;
}

export interface LanguageDetector {
  /**
   * The language of a sentence or clause.
   *
   * @param text as the client wrote it: diacritics tell languages apart. Linear in its length.
   */
  readonly languageOf: (text: string) => TextLanguage;
}

/**
 * A lead that decides. Of the most likely languages with it, 1 in 100 is wrong in pieces of two words, and
 * 1 in 200 in sentences (decision 045).
 */
const surePoints = 100;

/** Texts with fewer different sequences, such as single short words, decide nothing. */
const fewestSequences = 2;
/** A sequence that occurs in a language at all counts this much. */
const baseScore = 53;
/** Bytes of a sequence, and bytes from one to the next. */
const sequenceBytes = 4;
const stride = 3;
const longestWord = 70;
const slotBits = 18;
const slotCount = 2 ** slotBits;
const hashFactor = 0x9e3779b1;
const apostrophes = new Set("'`’");
const anyLetter = /\p{L}/u;
/** Whether a code unit is a letter, 0 before the first use. */
const letterTable = new Uint8Array(0x1_0000);
const isNoLetter = 1;
const isLetter = 2;

function isLetterAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  let found = letterTable[code];
  if (found === 0) {
    found = anyLetter.test(text.charAt(at)) ? isLetter : isNoLetter;
    letterTable[code] = found;
  }
  return found === isLetter;
}

function slotOf(key: number, position: number): number {
  return Math.imul(key + position, hashFactor) >>> (32 - slotBits);
}

/** The detector over data/language-n-grams.bin; reading it takes a few milliseconds. */
export function loadLanguageDetector(): LanguageDetector {
  const file = readFileSync(new URL("../../data/language-n-grams.bin", import.meta.url));
  return createLanguageDetector(decodeNGrams(file));
}

/**
 * Tells languages by the method of the package `eld`: the scores of all different sequences of a text are
 * added up, by language.
 */
function createLanguageDetector(nGrams: NGrams): LanguageDetector {
  const { keys, firstKeys, counts, languages, scores } = nGrams;
  // Open addressing: one more than the number of a key, or 0.
  const slots = new Uint32Array(slotCount);
  const firstScores = new Uint32Array(keys.length + 1);
  for (let position = 0; position < positions; position += 1) {
    const end = firstKeys[position + 1] ?? 0;
    for (let at = firstKeys[position] ?? 0; at < end; at += 1) {
      firstScores[at + 1] = (firstScores[at] ?? 0) + (counts[at] ?? 0);
      let slot = slotOf(keys[at] ?? 0, position);
      while (slots[slot] !== 0) slot = (slot + 1) % slotCount;
      slots[slot] = at + 1;
    }
  }

  /** The number of the text in which each sequence was last counted. */
  const lastTexts = new Uint32Array(keys.length);
  let textNumber = 0;
  let sequences = 0;
  const bytes = new Uint8Array(longestWord + sequenceBytes);

  function find(key: number, position: number): number {
    const from = firstKeys[position] ?? 0;
    const end = firstKeys[position + 1] ?? 0;
    for (let slot = slotOf(key, position); ; slot = (slot + 1) % slotCount) {
      const at = (slots[slot] ?? 0) - 1;
      if (at < 0) return -1;
      if (keys[at] === key && at >= from && at < end) return at;
    }
  }

  function count(from: number, to: number, position: number, totals: Float64Array): void {
    const at = find(nGramKey(bytes, from, to), position);
    if (at < 0 || lastTexts[at] === textNumber) return;
    lastTexts[at] = textNumber;
    sequences += 1;
    const end = firstScores[at + 1] ?? 0;
    for (let score = firstScores[at] ?? 0; score < end; score += 1) {
      const language = languages[score] ?? 0;
      totals[language] = (totals[language] ?? 0) + (scores[score] ?? 0) + baseScore;
    }
  }

  function countWord(length: number, totals: Float64Array): void {
    let from = 0;
    for (; from + sequenceBytes < length; from += stride) {
      count(from, from + sequenceBytes, from === 0 ? wordBegin : 0, totals);
    }
    const last = Math.max(0, length - sequenceBytes);
    count(last, length, wordEnd + (from === 0 ? wordBegin : 0), totals);
  }

  function totalsOf(text: string): Float64Array {
    const totals = new Float64Array(languageCodes.length);
    const lower = text.normalize("NFC").toLowerCase();
    textNumber += 1;
    sequences = 0;
    let length = 0;
    for (let at = 0; at <= lower.length; at += 1) {
      const belongs =
        at < lower.length &&
        (isLetterAt(lower, at) || (apostrophes.has(lower.charAt(at)) && isLetterAt(lower, at + 1)));
      if (!belongs) {
        if (length > 0) countWord(Math.min(length, longestWord), totals);
        length = 0;
      } else if (length < longestWord) length = addBytes(lower.charCodeAt(at), length);
    }
    return totals;
  }

  /** Writes a code unit of the word under way as UTF-8. */
  function addBytes(code: number, length: number): number {
    if (code < 0x80) {
      bytes[length] = code;
      return length + 1;
    }
    if (code < 0x800) {
      bytes[length] = 0xc0 | (code >> 6);
      bytes[length + 1] = 0x80 | (code & 0x3f);
      return length + 2;
    }
    bytes[length] = 0xe0 | (code >> 12);
    bytes[length + 1] = 0x80 | ((code >> 6) & 0x3f);
    bytes[length + 2] = 0x80 | (code & 0x3f);
    return length + 3;
  }

  return {
    languageOf(text) {
      const totals = totalsOf(text);
      let best = 0;
      let second = -1;
      for (let at = 1; at < totals.length; at += 1) {
        if (totalAt(totals, at) > totalAt(totals, best)) {
          second = best;
          best = at;
        } else if (second < 0 || totalAt(totals, at) > totalAt(totals, second)) second = at;
      }
      const lead = sequences < fewestSequences ? Number.POSITIVE_INFINITY : surePoints;
      const isUnknown = totalAt(totals, best) === 0;
      const points = (language: LanguageCode, other: LanguageCode): number =>
        totalAt(totals, indexOf(language)) - totalAt(totals, indexOf(other));
      return {
        language: isUnknown ? undefined : languageCodes[best],
        isSure: totalAt(totals, best) - totalAt(totals, second) >= lead,
        points,
        isLikelier: (language, other) => points(language, other) >= lead,
        canBe: (language) => totalAt(totals, best) - totalAt(totals, indexOf(language)) < lead,
      };
    },
  };
}

function totalAt(totals: Float64Array, at: number): number {
  return totals[at] ?? 0;
}

const indexes = new Map<LanguageCode, number>(languageCodes.map((code, at) => [code, at]));

function indexOf(language: LanguageCode): number {
  return indexes.get(language) ?? -1;
}
