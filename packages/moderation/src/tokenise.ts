import { fold } from "./normalise.ts";

export interface Token {
  /** Lower-case letters, or digits, or one emoji. */
  readonly word: string;
  readonly capitalised: boolean;
  /** Counts sentences; a line break ends one. */
  readonly sentence: number;
  /** Counts parts of sentences: commas, colons, brackets and dashes end one. */
  readonly clause: number;
  /** What stands before it ends with a colon: a label, or a name in brackets. */
  readonly afterColon: boolean;
  /** Two or more spaces, or a line break, stand before it. */
  readonly wideGap: boolean;
}

/** A run without spaces, made of more than one token or with signs inside: "n-u-d-e", "s3x", "f*ck". */
interface WordGroup {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface TokenisedText {
  readonly tokens: readonly Token[];
  readonly groups: readonly WordGroup[];
}

const groupPattern =
  /[\p{L}\p{N}@$](?:[\p{L}\p{N}@$]|[!|*.\-_~·•+/\\'’`´]+(?=[\p{L}\p{N}@$]))*|\p{Extended_Pictographic}/gu;
const tokenPattern = /\p{L}+|\p{N}+|\p{Extended_Pictographic}/gu;
const sentenceEnd = /[.!?…;][\s"'”’)\]]|[.!?…;]$|\n/u;
const clauseEnd = /[,:;()[\]{}–—|]|\s-\s/u;
const colon = /^[)\]\s"'”’]*:/u;
const plainWord = /^\p{L}+$/u;

/** The words of a phrase that is folded and in lower case already. */
export function splitWords(phrase: string): string[] {
  return phrase.match(tokenPattern) ?? [];
}

/**
 * Splits a text into words. Letters and digits are separate tokens ("10yo" is two), groups tell
 * what stood together. Linear in the length of the text.
 */
export function tokenise(text: string): TokenisedText {
  const folded = fold(text);
  const tokens: Token[] = [];
  const groups: WordGroup[] = [];
  let sentence = 0;
  let clause = 0;
  let lastEnd = 0;
  for (const match of folded.matchAll(groupPattern)) {
    const group = match[0];
    const gap = folded.slice(lastEnd, match.index);
    const sentenceBreak = sentenceEnd.test(gap);
    if (sentenceBreak) sentence += 1;
    if (sentenceBreak || clauseEnd.test(gap)) clause += 1;
    lastEnd = match.index + group.length;
    const start = tokens.length;
    for (const found of group.matchAll(tokenPattern)) {
      const word = found[0].toLowerCase();
      tokens.push({
        word,
        capitalised: found[0].charAt(0) !== word.charAt(0),
        sentence,
        clause,
        afterColon: found.index === 0 && colon.test(gap),
        wideGap: found.index === 0 && /\s{2}|\n/u.test(gap),
      });
    }
    const end = tokens.length;
    if (end > start && !plainWord.test(group)) {
      groups.push({ text: group.toLowerCase(), start, end });
    }
  }
  return { tokens, groups };
}
