import { coloursAfter, coloursBefore } from "./read-colour.ts";
import { fold, vocabulary } from "./vocabulary/index.ts";

/** A word of a text. */
export interface Token {
  readonly word: string;
  readonly sentence: number;
  /** A comma or similar, or the start of the text, precedes it. */
  readonly apart: boolean;
}

/** Theme words and the words they expand to. */
const themes: ReadonlyMap<string, string> = new Map([["halloween", "autumn night pumpkins"]]);

function inPlainWords(text: string): string {
  let plain = text;
  for (const [theme, meaning] of themes) plain = plain.replaceAll(theme, ` ${meaning} `);
  return plain;
}

/** Splits a text into folded words; hyphenated compounds are split unless they are known. */
export function tokensOf(text: string): Token[] {
  const found: Token[] = [];
  let sentence = 0;
  let apart = true;
  for (const [piece] of inPlainWords(fold(text)).matchAll(
    /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*|[.;!?:\n]+|,|[—–()|]/gu,
  )) {
    if (/^[.;!?:\n]/u.test(piece)) {
      sentence += 1;
      apart = true;
    } else if (/^[,—–()|]/u.test(piece)) {
      apart = true;
    } else if (piece !== "s" && piece !== "l" && piece !== "d") {
      const whole = vocabulary.has(piece) || coloursBefore.has(piece) || coloursAfter.has(piece);
      for (const word of whole ? [piece] : piece.split("-")) {
        found.push({ word, sentence, apart });
        apart = false;
      }
    }
  }
  return found;
}
