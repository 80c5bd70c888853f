import { characterAt, withoutInvisible } from "./characters.ts";

// Spaces so narrow that the letters around them still look like one word, and the empty braille cell.
const beyondAscii = /[^\0-\u007F]/u;
const narrowSpaces = /[\u2006-\u200A\u202F\u205F\u2800]/gu;
/** The first half of the surrogate pairs of tags. */
const tagHead = "\uDB40";
const tags = /[\u{E0020}-\u{E007E}]/gu;

function foldWith(text: string, reading: "native" | "latin"): string {
  let folded = "";
  for (const character of text.normalize("NFKC")) {
    if (character < "\u0080" && character >= " ") folded += character.toLowerCase();
    else if (/\s/u.test(character)) folded += character;
    else folded += characterAt(character.codePointAt(0) ?? 0)[reading];
  }
  return folded;
}

/**
 * Lower case, without diacritics and invisible characters, in the script it is written in: the form
 * that the vocabulary is compared in. Never throws.
 */
export function normalise(text: string): string {
  return foldWith(text, "native");
}

/** {@link normalise}, with letters of other alphabets that look Latin made Latin (UTS #39). */
export function toLookAlikes(text: string): string {
  return foldWith(text, "latin");
}

/**
 * Decodes the Unicode tag characters of a text (U+E0020–E007E), which are invisible and which some
 * models read. Empty for a text without them.
 */
export function hiddenText(text: string): string {
  if (!text.includes(tagHead)) return "";
  const found = text.match(tags) ?? [];
  return found.map((tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000)).join("");
}

/** Returns a text without its narrow spaces ("na\u200Aked"). Empty for a text without them. */
export function closedText(text: string): string {
  if (!beyondAscii.test(text)) return "";
  const closed = text.replace(narrowSpaces, "");
  return closed === text ? "" : closed;
}

/** Emoji, tags, entities, weights and separators of image prompts: "(nude:1.3)", "BREAK". */
const decorations =
  /<\/?[a-z][a-z0-9]{0,9}\s?\/?>|&(?:nbsp|amp|lt|gt);|%20|:\d(?:\.\d{1,2})?(?=\))|\bBREAK\b|\p{Extended_Pictographic}[\uFE0F\u200D]*/gu;

/** Returns a text without the decorations between its words. Empty for a text without them. */
export function undecoratedText(text: string): string {
  const visible = beyondAscii.test(text) ? withoutInvisible(text) : text;
  const plain = visible.replace(decorations, " ");
  return plain === visible ? "" : plain.replace(/\s+/gu, " ");
}

const leetLetters: Readonly<Record<string, string>> = {
  "0": "o",
  "2": "z",
  "3": "e",
  "4": "a",
  "5": "s",
  "6": "g",
  "7": "t",
  "8": "b",
  "9": "g",
  "@": "a",
  $: "s",
  "€": "e",
  "£": "l",
  "+": "t",
  "!": "i",
};

/**
 * Digits and signs that stand for letters, read as letters.
 *
 * @param ones the letters that each 1 and | stands for, in order; the last one also for any further.
 */
export function readLeet(word: string, ones: string): string {
  let letters = "";
  let read = 0;
  for (const character of word) {
    if (character === "1" || character === "|") {
      letters += ones.charAt(Math.min(read, ones.length - 1));
      read += 1;
    } else letters += leetLetters[character] ?? character;
  }
  return letters;
}

const cyrillicLetters: Readonly<Record<string, string>> = {
  "0": "о",
  "3": "з",
  "4": "ч",
  "6": "б",
};
const cyrillic = /\p{Script=Cyrillic}/u;

/** Digits in a Cyrillic word, read as the letters they look like. Undefined for other words. */
export function readCyrillicLeet(word: string): string | undefined {
  if (!cyrillic.test(word)) return undefined;
  return word.replace(/[0346]/gu, (digit) => cyrillicLetters[digit] ?? digit);
}

/** Lists the letters that the ones of a word may stand for, for {@link readLeet}: i, l, or a mix. */
export function leetOnes(word: string): readonly string[] {
  const count = word.match(/[1|]/gu)?.length ?? 0;
  return count === 2 ? ["i", "l", "il", "li"] : ["i", "l"];
}

/** Each run of one letter shortened to a single one: "nuuude" and "nude" become the same. */
export function squeeze(word: string): string {
  let squeezed = "";
  let last = "";
  for (const character of word) {
    if (character !== last) squeezed += character;
    last = character;
  }
  return squeezed;
}

/** A run that ordinary words do not have: three of any letter, or two of one that is rarely doubled. */
const unusualRun = /(.)\1\1|([ahijkquvwxy])\2/u;

/** Whether letters are repeated in a way that looks like hiding a word. */
export function looksStretched(word: string): boolean {
  return unusualRun.test(word);
}
