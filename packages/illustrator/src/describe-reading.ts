import { readLimit, readRequest, type ReferenceWords } from "./read-request.ts";
import { readMentions } from "./read-words.ts";

/** The part of a prompt that its drawing shows. */
interface Reading {
  /** The things that it draws, in the words of the vocabulary. */
  readonly understood: readonly string[];
  /** Words in scripts that the vocabulary does not have, and emoji. */
  readonly unread: readonly string[];
  /** Whether it is a pattern, because nothing that can be drawn is named. */
  readonly isPattern: boolean;
}

/** Of a list, since a prompt may have thousands. */
const maxWords = 10;
const maxLetters = 40;

const words = /[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu;

/** Whether a word has a letter that is not Latin, or is an emoji. */
const isForeign = (word: string) =>
  /(?!\p{Script=Latin})\p{L}|\p{Extended_Pictographic}/u.test(word);

/** Tells what of a prompt is drawn, as `draw` reads it. */
export function describeReading(prompt: string, references: readonly ReferenceWords[]): Reading {
  const text = prompt.normalize("NFC").slice(0, readLimit);
  const { place } = readRequest(text, references, 0);
  const drawn = readMentions(text).filter(({ family }) => family !== "name" && family !== "style");
  const first = (all: readonly string[]) =>
    [...new Set(all.map((word) => word.slice(0, maxLetters)))].slice(0, maxWords);
  return {
    understood: first(drawn.map(({ kind }) => kind.replaceAll("_", " "))),
    unread: first((text.match(words) ?? []).filter(isForeign)),
    isPattern: place.kind === "abstract" && drawn.length === 0,
  };
}
