import { characterAt, kinds, traits, traitsOf, withoutInvisible } from "./characters.ts";
import { normalise } from "./normalise.ts";

export interface Token {
  /** Lower-case letters, or digits, or one emoji, or one character of an unsegmented script. */
  readonly word: string;
  /** The word as Latin letters that it is drawn like, where that differs. */
  readonly latin: string | undefined;
  readonly capitalised: boolean;
  /** Two or more letters, all of them capitals. */
  readonly isAcronym: boolean;
  /** Counts sentences; a line break ends one. */
  readonly sentence: number;
  /** Counts parts of sentences: commas, colons, brackets and dashes end one. */
  readonly clause: number;
  /** The text before it ends with a colon: a label, or a name in brackets. */
  readonly afterColon: boolean;
  /** Two or more spaces, or a line break, stand before it. */
  readonly wideGap: boolean;
  /** One character of a script without spaces between words. */
  readonly isSyllable: boolean;
  readonly isEmoji: boolean;
  /** Follows another character of such a script directly. */
  readonly isGlued: boolean;
  /** Where it stands in the source, in UTF-16 code units; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** A run without spaces, made of more than one token or with signs inside: "n-u-d-e", "s3x", "f*ck". */
interface WordGroup {
  /** With letters of other alphabets that look Latin made Latin. */
  readonly text: string;
  /** In the script it is written in. */
  readonly native: string;
  readonly start: number;
  readonly end: number;
}

export interface TokenisedText {
  /** The text in NFKC, which tokens point into. */
  readonly source: string;
  readonly tokens: readonly Token[];
  readonly groups: readonly WordGroup[];
}

const sentenceEnd = /[.!?…;؟؛][\s"'”’)\]]|[.!?…;؟؛]$|[。！？\n]/u;
const clauseEnd = /[,:;()[\]{}–—|、،؛]|\s-\s/u;
const colon = /^[)\]\s"'”’]*:/u;
const wide = /\s{2}|\n/u;
const phraseWords = /\p{L}+|\p{N}+|\p{Extended_Pictographic}/gu;

/** Signs within a word: letters with dots between them, leet, asterisks. */
const innerSigns = new Set("!|*.-_~·•+/\\'’`´@$€£#");
const leadingSigns = new Set("@$€£");
/** Signs that stand for a letter at the end of a word, too: "ki$$", "bl00+". */
const trailingSigns = new Set("$+");

/** The words of a phrase of the vocabulary, as {@link tokenise} would find them. */
export function splitWords(phrase: string): string[] {
  const words = normalise(phrase).match(phraseWords) ?? [];
  return words.flatMap((word) => (isSyllabic(word) ? Array.from(word) : [word]));
}

function isSyllabic(word: string): boolean {
  return characterAt(word.codePointAt(0) ?? 0).kind === kinds.syllable;
}

const asciiLower = Array.from({ length: 128 }, (_, code) =>
  String.fromCharCode(code).toLowerCase(),
);
const asciiKinds = new Uint8Array(128).fill(kinds.other);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/u.test(character)) asciiKinds[code] = kinds.letter;
  else if (/\d/u.test(character)) asciiKinds[code] = kinds.digit;
  else if (code < 32 && !/\s/u.test(character)) asciiKinds[code] = kinds.none;
}
asciiKinds[127] = kinds.none;

interface Gap {
  readonly endsSentence: boolean;
  readonly endsClause: boolean;
  readonly hasColon: boolean;
  readonly isWide: boolean;
}

const gaps = new Map<string, Gap>();
const longestKnownGap = 4;
const maxGaps = 1_000;

/** Reads the characters between two words. */
function readGap(written: string): Gap {
  const found = gaps.get(written);
  if (found !== undefined) return found;
  // U+FEFF is white space to \s, so invisible characters are removed before gaps are measured.
  const gap = withoutInvisible(written);
  const endsSentence = sentenceEnd.test(gap);
  const read: Gap = {
    endsSentence,
    endsClause: endsSentence || clauseEnd.test(gap),
    hasColon: colon.test(gap),
    isWide: wide.test(gap),
  };
  if (written.length <= longestKnownGap) {
    if (gaps.size >= maxGaps) gaps.clear();
    gaps.set(written, read);
  }
  return read;
}

/**
 * Splits a text into words. Letters and digits are separate tokens ("10yo" is two), and so are the
 * parts of CamelCase and the characters of scripts without spaces; groups tell what stood together.
 * Linear in the length of the text.
 */
export function tokenise(text: string): TokenisedText {
  const source = text.normalize("NFKC");
  const tokens: Token[] = [];
  const groups: WordGroup[] = [];
  let sentence = 0;
  let clause = 0;
  let afterColon = false;
  let wideGap = false;
  // The token under way: from where, and its two readings where they differ from what is written and
  // from each other.
  let tokenStart = -1;
  let native: string | undefined;
  let latin: string | undefined;
  let tokenLength = 0;
  let firstPart = "";
  let tokenKind: number = kinds.none;
  let isUpperStart = false;
  let capitals = 0;
  let lastIsLower = false;
  let isGlued = false;
  let syllableEnd = -1;
  // The group under way: whatever is not white space since the last gap.
  let groupStart = 0;
  let groupText = "";
  let groupNative = "";
  let gapStart = 0;
  let inGroup = false;
  let hasSigns = false;

  function endToken(at: number): void {
    if (tokenStart < 0) return;
    // A string that is known already needs no new one.
    const word = native ?? (tokenLength === 1 ? firstPart : source.slice(tokenStart, at));
    tokens.push({
      word,
      latin,
      capitalised: isUpperStart,
      isAcronym: capitals >= 2 && capitals === tokenLength,
      sentence,
      clause,
      afterColon,
      wideGap,
      isSyllable: tokenKind === kinds.syllable,
      isEmoji: tokenKind === kinds.emoji,
      isGlued,
      from: tokenStart,
      to: at,
    });
    groupText += latin ?? word;
    groupNative += word;
    afterColon = false;
    wideGap = false;
    tokenStart = -1;
    native = undefined;
    latin = undefined;
  }

  function endGroup(at: number): void {
    endToken(at);
    if (!inGroup) return;
    const isPlain = tokens.length - groupStart <= 1 && !hasSigns;
    if (tokens.length > groupStart && !isPlain) {
      groups.push({ text: groupText, native: groupNative, start: groupStart, end: tokens.length });
    }
    inGroup = false;
    gapStart = at;
  }

  function beginGroup(at: number): void {
    inGroup = true;
    hasSigns = false;
    groupText = "";
    groupNative = "";
    groupStart = tokens.length;
    if (at === gapStart || (at - gapStart === 1 && source.charCodeAt(gapStart) === 32)) return;
    const gap = readGap(source.slice(gapStart, at));
    if (gap.endsSentence) sentence += 1;
    if (gap.endsClause) clause += 1;
    afterColon = gap.hasColon;
    wideGap = gap.isWide;
  }

  for (let at = 0; at < source.length;) {
    const point = source.codePointAt(at) ?? 0;
    const next = at + (point > 0xffff ? 2 : 1);
    let kind: number;
    let nativePart: string;
    let latinPart: string;
    let isUpper = false;
    let isVerbatim = true;
    if (point < 128) {
      kind = asciiKinds[point] ?? kinds.other;
      isUpper = point >= 65 && point <= 90;
      isVerbatim = !isUpper;
      nativePart = asciiLower[point] ?? "";
      latinPart = nativePart;
    } else {
      const packed = traitsOf(point);
      kind = packed & traits.kind;
      isUpper = (packed & traits.isUpper) !== 0;
      if ((packed & traits.isPlain) === 0) {
        const character = characterAt(point);
        ({ isVerbatim } = character);
        nativePart = character.native;
        latinPart = character.latin;
      } else {
        nativePart = source.slice(at, next);
        latinPart = nativePart;
      }
    }
    if (kind === kinds.none) {
      if (tokenStart >= 0) native ??= source.slice(tokenStart, at);
      at = next;
      continue;
    }
    if (kind === kinds.other) {
      const sign = source.charAt(at);
      const isInner = innerSigns.has(sign) && followedByWord(source, next);
      if (inGroup && (isInner || trailingSigns.has(sign))) {
        endToken(at);
        hasSigns = true;
        groupText += sign;
        groupNative += sign;
      } else if (!inGroup && leadingSigns.has(sign) && followedByWord(source, next)) {
        beginGroup(at);
        hasSigns = true;
        groupText += sign;
        groupNative += sign;
      } else {
        endGroup(at);
      }
      at = next;
      continue;
    }
    const isSingle = kind === kinds.syllable || kind === kinds.emoji;
    if (isSingle) endGroup(at);
    if (tokenStart < 0) isGlued = kind === kinds.syllable && syllableEnd === at;
    if (kind === kinds.syllable) syllableEnd = next;
    if (!inGroup) beginGroup(at);
    const isCamel = kind === kinds.letter && isUpper && lastIsLower;
    if (kind !== tokenKind || isCamel) endToken(at);
    if (tokenStart < 0) {
      tokenStart = at;
      tokenLength = 0;
      firstPart = nativePart;
      tokenKind = kind;
      isUpperStart = isUpper;
      capitals = 0;
    }
    if (latin !== undefined) latin += latinPart;
    else if (latinPart !== nativePart) {
      latin = (native ?? source.slice(tokenStart, at)) + latinPart;
    }
    if (native !== undefined) native += nativePart;
    else if (!isVerbatim) native = source.slice(tokenStart, at) + nativePart;
    tokenLength += 1;
    if (isUpper) capitals += 1;
    lastIsLower = kind === kinds.letter && !isUpper;
    if (isSingle) endGroup(next);
    at = next;
  }
  endGroup(source.length);
  return { source, tokens, groups };
}

/** Whether a sign is followed, after more signs at most, by a letter or digit. */
function followedByWord(source: string, from: number): boolean {
  const limit = Math.min(source.length, from + 8);
  for (let at = from; at < limit;) {
    const point = source.codePointAt(at) ?? 0;
    const kind = point < 128 ? asciiKinds[point] : traitsOf(point) & traits.kind;
    if (kind === kinds.letter || kind === kinds.digit) return true;
    if (kind !== kinds.none && !innerSigns.has(source.charAt(at))) return false;
    at += point > 0xffff ? 2 : 1;
  }
  return false;
}
