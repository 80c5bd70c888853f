import type { Concept } from "./lexicon/concepts.ts";
import type { LanguageCode } from "./language/language-codes.ts";
import type { TextLanguage } from "./language/language-of-text.ts";
import type { Language } from "./lexicon/endings.ts";
import type { Lexicon } from "./lexicon/lexicon.ts";
import { withoutInvisible } from "./text/characters.ts";
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
 * Concepts that refuse something by themselves or beside a child, a person or a group. Their words are
 * weighed by language; what stands beside them means the same in most languages ("passport", "dollar"),
 * and what only excuses refuses nothing.
 */
const weighed: ReadonlySet<Concept> = new Set<Concept>([
  "abuseCode",
  "abuseTopic",
  "adultOnly",
  "bareTorso",
  "boyWord",
  "drugs",
  "exposure",
  "genital",
  "gesture",
  "girlWord",
  "gore",
  "hotWord",
  "intimateGarment",
  "killing",
  "killingLast",
  "killOrder",
  "minor",
  "nothingOn",
  "nudify",
  "nudity",
  "nudityWord",
  "profanity",
  "selfHarm",
  "selfHarmAct",
  "selfHarmUrge",
  "sexTopic",
  "sexualAct",
  "sexyWord",
  "slur",
  "suggestive",
  "swimwear",
  "underwearOnly",
  "undressing",
  "undressVerb",
]);

/** How far apart words of one language support each other, in tokens. */
const supportWithin = 8;

/** Fewest words that a clause tells its language by; shorter ones take it from what is around them. */
const fewestWords = 4;

/** More text tells no more of its language. */
const longestTold = 240;

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Decides for one text how sure each reading is, by the language of the words around it.
 *
 * @param readings all readings of the text, by start.
 */
export function createCertainty(
  { tokens, source }: TokenisedText,
  readings: readonly Reading[],
  lexicon: Lexicon,
): (reading: Reading) => Certainty {
  const known = new Map<string, TextLanguage>();
  const spans = { clause: new Map<number, Span>(), sentence: new Map<number, Span>() };
  const entireText: Span = { start: 0, end: tokens.length };

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

  function languageOf({ start, end }: Span): TextLanguage {
    const key = `${start}-${end}`;
    let language = known.get(key);
    if (language === undefined) {
      const from = tokens[start]?.from ?? 0;
      const to = Math.min(tokens[end - 1]?.to ?? 0, from + longestTold);
      language = lexicon.languageOf(withoutInvisible(source.slice(from, to)));
      known.set(key, language);
    }
    return language;
  }

  /** Decides by the words around a place: those of its clause, else its sentence, else the text. */
  function decideAround(
    at: number,
    decide: (language: TextLanguage, length: number) => Certainty | undefined,
  ): Certainty | undefined {
    const clause = spanOf(at, "clause");
    const isLong = clause.end - clause.start >= fewestWords;
    for (const span of [...(isLong ? [clause] : []), spanOf(at, "sentence"), entireText]) {
      const certainty = decide(languageOf(span), span.end - span.start);
      if (certainty !== undefined) return certainty;
    }
    return undefined;
  }

  /** Of some languages, those in which the words of the same vocabulary near a place are ordinary, too. */
  function sharedBy(
    codes: readonly LanguageCode[],
    { start, end, languages }: Reading,
  ): readonly LanguageCode[] {
    let shared = codes;
    for (let at = firstFrom(readings, start - supportWithin); at < readings.length; at += 1) {
      const other = readings[at];
      if (other === undefined || other.start > end + supportWithin || shared.length === 0) break;
      const isApart = other.end <= start || other.start >= end;
      const isSupport = isApart && !other.isGuess && supporting(other.concept);
      if (!isSupport || !areShared(languages, other.languages)) continue;
      const listed = commonLanguages(tokens.slice(other.start, other.end), lexicon);
      shared = shared.filter((code) => listed.includes(code) || hasCode(other.languages, code));
    }
    return shared;
  }

  return (reading) => {
    const { concept, start, end, languages, isGuess } = reading;
    if (!isGuess && (!weighed.has(concept) || languages.has("any"))) return "sure";
    const words = tokens.slice(start, end);
    if (isGuess) {
      const listed = commonLanguages(words, lexicon);
      const decide = (language: TextLanguage): Certainty | undefined =>
        certaintyOfGuess(language, listed, lexicon);
      return decideAround(start, decide) ?? (listed.length > 0 ? "dropped" : "unsure");
    }
    const listed = commonLanguages(words, lexicon).filter((code) => !hasCode(languages, code));
    const ordinary = listed.length === 0 ? listed : sharedBy(listed, reading);
    if (ordinary.length === 0) return "sure";
    const own = [...languages].filter((code) => code !== "any");
    const decide = (language: TextLanguage, length: number): Certainty | undefined => {
      const certainty = certaintyOfWord(language, own, ordinary, lexicon);
      // Names and a few letters do not make a word innocent.
      return certainty === "dropped" && length < fewestWords ? undefined : certainty;
    };
    return decideAround(start, decide) ?? "unsure";
  };
}

/** Index of the first reading that starts at or after a token. */
function firstFrom(readings: readonly Reading[], token: number): number {
  let low = 0;
  let high = readings.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((readings[middle]?.start ?? 0) < token) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Words that tell of what a text is about; articles and negations of a language are in many others. */
const structural: ReadonlySet<Concept> = new Set<Concept>([
  "benign",
  "negator",
  "emphasis",
  "negativeList",
  "elsewhere",
  "possessive",
  "likeness",
  "allOf",
  "absence",
  "noClothes",
  "herHis",
  "objectPerson",
]);

function areShared(some: ReadonlySet<Language>, others: ReadonlySet<Language>): boolean {
  for (const language of some) if (others.has(language)) return true;
  return false;
}

function supporting(concept: Concept): boolean {
  return !structural.has(concept);
}

function hasCode(languages: ReadonlySet<string>, code: LanguageCode): boolean {
  return languages.has(code);
}

/** How sure a repaired word is in a text, when some languages list it as it stands. */
function certaintyOfGuess(
  { language, isSure, canBe }: TextLanguage,
  listed: readonly LanguageCode[],
  { hasWordList }: Lexicon,
): Certainty | undefined {
  if (language === undefined) return undefined;
  if (listed.some(canBe)) return "dropped";
  if (!isSure) return undefined;
  return hasWordList(language) ? "unsure" : "dropped";
}

/** How sure a word is in a text, that the vocabulary of `own` has and that is ordinary in others. */
function certaintyOfWord(
  { language, isSure, isLikelier }: TextLanguage,
  own: readonly LanguageCode[],
  ordinary: readonly LanguageCode[],
  { hasWordList }: Lexicon,
): Certainty | undefined {
  if (language === undefined) return undefined;
  if (own.includes(language)) return "sure";
  if (isSure) {
    if (ordinary.includes(language)) return "dropped";
    return hasWordList(language) ? "sure" : "unsure";
  }
  if (ordinary.some((other) => own.every((code) => isLikelier(other, code)))) return "dropped";
  if (own.some((code) => ordinary.every((other) => isLikelier(code, other)))) return "sure";
  return undefined;
}

/** The languages in which all of some words are ordinary. */
function commonLanguages(
  words: readonly Token[],
  { ordinaryIn }: Lexicon,
): readonly LanguageCode[] {
  let common: readonly LanguageCode[] | undefined;
  for (const { word } of words) {
    const here = ordinaryIn(word);
    const before = common;
    common = before === undefined ? here : before.filter((code) => here.includes(code));
    if (common.length === 0) break;
  }
  return common ?? [];
}
