import type { Concept } from "./lexicon/concepts.ts";
import type { Language } from "./lexicon/endings.ts";
import type { Lexicon } from "./lexicon/lexicon.ts";
import type { Token, TokenisedText } from "./text/tokenise.ts";

/** A place of a text that may mean a concept. */
export interface Reading {
  readonly concept: Concept;
  readonly start: number;
  readonly end: number;
  /** The languages whose vocabulary has the words. */
  readonly languages: ReadonlySet<Language>;
  /** Read by guesswork, such as a typing error undone. */
  readonly isGuess: boolean;
}

/** How much a reading counts: it may be dropped, or count as uncertain. */
type Certainty = "sure" | "unsure" | "dropped";

/**
 * Concepts that only excuse, negate or structure a text. They count in every language, because a
 * wrong one refuses nothing.
 */
const excusing: ReadonlySet<Concept> = new Set<Concept>([
  "benign",
  "negator",
  "emphasis",
  "negativeList",
  "elsewhere",
  "garmentAbsent",
  "abuseOpposed",
  "awareness",
  "classicalArt",
  "documentScenery",
  "food",
  "help",
  "medicine",
  "nursing",
  "opposition",
  "plaything",
  "prevention",
  "remembrance",
  "reporting",
  "stance",
  "styleOnly",
  "stylised",
  "agedThing",
]);

/** Fewest words that a clause tells its language by; shorter ones take it from what is around them. */
const fewestWords = 4;

/** More text tells no more of its language. */
const longestTold = 240;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Decides for one text how sure each reading is, by the language of the words around it. */
export function createCertainty(
  { tokens, source }: TokenisedText,
  lexicon: Lexicon,
): (reading: Reading) => Certainty {
  const languages = new Map<string, string | undefined>();
  const spans = { clause: new Map<number, Span>(), sentence: new Map<number, Span>() };

  function spanOf(at: number, unit: "clause" | "sentence"): Span {
    const number = tokens[at]?.[unit] ?? 0;
    let span = spans[unit].get(number);
    if (span === undefined) {
      let start = at;
      while (start > 0 && tokens[start - 1]?.[unit] === number) start -= 1;
      let end = at + 1;
      while (end < tokens.length && tokens[end]?.[unit] === number) end += 1;
      span = { start, end };
      spans[unit].set(number, span);
    }
    return span;
  }

  function languageOf({ start, end }: Span): string | undefined {
    const key = `${start}-${end}`;
    if (languages.has(key)) return languages.get(key);
    const from = tokens[start]?.from ?? 0;
    const to = Math.min(tokens[end - 1]?.to ?? 0, from + longestTold);
    const language = lexicon.languageOf(source.slice(from, to));
    languages.set(key, language);
    return language;
  }

  /** The language around a place: that of its clause, its sentence or the text, as far as they tell. */
  function languageAt(at: number): string | undefined {
    const clause = spanOf(at, "clause");
    const ofClause = clause.end - clause.start < fewestWords ? undefined : languageOf(clause);
    return (
      ofClause ?? languageOf(spanOf(at, "sentence")) ?? languageOf({ start: 0, end: tokens.length })
    );
  }

  return ({ concept, start, end, languages: written, isGuess }) => {
    if (excusing.has(concept)) return "sure";
    if (isGuess) {
      // A guess needs a list of the words that it must not be made of.
      const language = languageAt(start);
      return language !== undefined && !lexicon.hasWordList(language) ? "dropped" : "unsure";
    }
    if (written.has("any")) return "sure";
    const ordinaryIn = ordinaryLanguages(tokens.slice(start, end), written, lexicon);
    if (ordinaryIn.size === 0) return "sure";
    const language = languageAt(start);
    if (language === undefined) return "unsure";
    const isOwn = [...written].some((own) => own === language);
    if (isOwn) return "sure";
    return ordinaryIn.has(language) ? "dropped" : "sure";
  };
}

/** The languages beside those of the vocabulary in which all words of a phrase are ordinary. */
function ordinaryLanguages(
  words: readonly Token[],
  languages: ReadonlySet<string>,
  lexicon: Lexicon,
): ReadonlySet<string> {
  let common: Set<string> | undefined;
  for (const { word } of words) {
    const here = lexicon.ordinaryIn(word);
    common =
      common === undefined
        ? new Set(here.filter((language) => !languages.has(language)))
        : new Set(here.filter((language) => common?.has(language)));
    if (common.size === 0) return common;
  }
  return common ?? new Set();
}
