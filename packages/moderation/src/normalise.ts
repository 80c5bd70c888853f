import { toLatin } from "./confusables.ts";

// Default ignorable code points (zero-width, variation selectors, tags, fillers), bidi and other
// format characters, and controls that are not white space; and what no font shows: U+FFFC, halves of
// surrogate pairs, private use, noncharacters.
const invisible =
  /(?!\s)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\uFFFC]|\uFEFF/gu;
// Spaces so narrow that the letters around them still look like one word, and the empty braille cell.
const narrowSpaces = /[\u2006-\u200A\u202F\u205F\u2800]/gu;
const marks = /\p{M}/gu;
const tags = /[\u{E0020}-\u{E007E}]/gu;

/**
 * Plain letters, with their case: NFKC, invisible characters and diacritics removed, letters of
 * other alphabets that look Latin made Latin (UTS #39). Never throws.
 */
export function fold(text: string): string {
  const visible = text.replace(invisible, "").normalize("NFKD").replace(invisible, "");
  let latin = "";
  for (const character of visible.replace(marks, "")) {
    latin += character < "\u0080" ? character : toLatin(character);
  }
  return latin.normalize("NFKC");
}

/** {@link fold}, in lower case. Applied twice it changes nothing more. */
export function normalise(text: string): string {
  let now = fold(text).toLowerCase();
  // A few capitals have no look-alike while their small letter has one: a second round settles it.
  for (let round = 0; round < 3; round += 1) {
    const next = fold(now).toLowerCase();
    if (next === now) return now;
    now = next;
  }
  return now;
}

/**
 * What a text says in Unicode tag characters (U+E0020–E007E), which no eye sees and some models
 * read. Empty for a text without them.
 */
export function hiddenText(text: string): string {
  const found = text.match(tags) ?? [];
  return found.map((tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000)).join("");
}

/**
 * What a text says when its narrow spaces are none ("na\u200Aked"). Empty for a text without them.
 */
export function closedText(text: string): string {
  const closed = text.replace(narrowSpaces, "");
  return closed === text ? "" : closed;
}

const leetLetters: Readonly<Record<string, string>> = {
  "0": "o",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "9": "g",
  "@": "a",
  $: "s",
  "!": "i",
};

/** Digits and signs that stand for letters, read as letters; `one` is what 1 and | stand for. */
export function readLeet(word: string, one: "i" | "l"): string {
  let letters = "";
  for (const character of word) {
    letters += character === "1" || character === "|" ? one : (leetLetters[character] ?? character);
  }
  return letters;
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
