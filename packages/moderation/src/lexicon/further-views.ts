import { reversed, rot13, turnedOver } from "../text/encodings.ts";
import type { Token } from "../text/tokenise.ts";
import type { WordFacts } from "./disguises.ts";

/** Sentences with the disguise of several words undone, one per line; empty without such a sentence. */
export interface FurtherViews {
  /** Reversed, in rot13 or upside down: nobody writes so by accident. */
  readonly decoded: string;
  /**
   * With words of the vocabulary that may be written as one, which compounds look like, too; or with one
   * word turned, which is an ordinary word by chance ("Dekan" and "naked").
   */
  readonly guessed: string;
}

/** Counts of the letters of a sentence, by the kind of word that contains them. */
interface Tally {
  all: number;
  known: number;
  reversed: number;
  rotated: number;
  /** How many words that is. */
  reversedWords: number;
  rotatedWords: number;
}

/** One in so many letters must belong to words of the vocabulary once they are turned. */
const knownShare = 3;
/** Fewer turned words than these are a coincidence. */
const fewestTurned = 2;

/**
 * The sentences of a text that are written in a disguise of several words, undone. Reversed and rotated
 * sentences are those in which the vocabulary has more words after than before turning.
 *
 * @param factsOf the facts of each token, with look-alikes made Latin.
 * @param isUpsideDown whether the text has letters that are used to write upside down.
 */
export function furtherViews(
  tokens: readonly Token[],
  factsOf: readonly WordFacts[],
  isUpsideDown: boolean,
): FurtherViews {
  const decoded: string[] = [];
  const guessed: string[] = [];
  const wordAt = (at: number): string => tokens[at]?.latin ?? tokens[at]?.word ?? "";
  const changed = (start: number, end: number, change: (at: number) => string): string =>
    Array.from({ length: end - start }, (_, at) => change(start + at)).join(" ");
  const backwards = (start: number, end: number, change: (at: number) => string): string =>
    changed(start, end, (at) => change(start + end - 1 - at));

  for (let start = 0; start < tokens.length;) {
    const sentence = tokens[start]?.sentence;
    const tally: Tally = {
      all: 0,
      known: 0,
      reversed: 0,
      rotated: 0,
      reversedWords: 0,
      rotatedWords: 0,
    };
    let hasJoined = false;
    let end = start;
    for (; end < tokens.length && tokens[end]?.sentence === sentence; end += 1) {
      const facts = factsOf[end];
      const length = tokens[end]?.word.length ?? 0;
      if (facts === undefined || length < 2) continue;
      tally.all += length;
      if (facts.isKnown) tally.known += length;
      if (facts.isKnownReversed) {
        tally.reversed += length;
        tally.reversedWords += 1;
      }
      if (facts.isKnownRotated) {
        tally.rotated += length;
        tally.rotatedWords += 1;
      }
      hasJoined ||= facts.joined !== undefined;
    }
    const isTurned = (letters: number): boolean =>
      letters > tally.known && letters * knownShare >= tally.all && end - start > 1;
    if (isTurned(tally.reversed)) {
      const view = tally.reversedWords < fewestTurned ? guessed : decoded;
      view.push(backwards(start, end, (at) => reversed(wordAt(at))));
    }
    if (isTurned(tally.rotated)) {
      const view = tally.rotatedWords < fewestTurned ? guessed : decoded;
      view.push(changed(start, end, (at) => rot13(wordAt(at))));
    }
    if (isUpsideDown) {
      decoded.push(backwards(start, end, (at) => turnedOver(tokens[at]?.word ?? "")));
    }
    if (hasJoined) {
      guessed.push(changed(start, end, (at) => factsOf[at]?.joined ?? wordAt(at)));
    }
    start = end;
  }
  return { decoded: decoded.join("\n"), guessed: guessed.join("\n") };
}
