import { createCertainty } from "./certainty.ts";
import type { Concept } from "./lexicon/concepts.ts";
import type { Language } from "./lexicon/endings.ts";
import type { FurtherViews } from "./lexicon/further-views.ts";
import type { Lexicon } from "./lexicon/lexicon.ts";
import { readText } from "./lexicon/readings.ts";
import { tokenise, type Token } from "./text/tokenise.ts";

/** One place of a text that means a concept; `start` and `end` (exclusive) count tokens. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  /** Different words have different ones; 0 for what no line of the vocabulary names. */
  readonly term: number;
  /** Why the words may be innocent; undefined where they are not. */
  readonly doubt: Doubt | undefined;
}

/** Words that were repaired by guesswork, or that are ordinary in another language. */
interface Doubt {
  /** The word of the vocabulary that they were read as, by its key; undefined when read as written. */
  readonly key: number | undefined;
  /** The languages in which the vocabulary has it. */
  readonly languages: ReadonlySet<Language>;
}

interface Match extends Hit {
  readonly concept: Concept;
}

const grammar: ReadonlySet<Concept> = new Set<Concept>([
  "negator",
  "emphasis",
  "garmentAbsent",
  "bodyGarment",
  "shirt",
  "elsewhere",
  "negativeList",
  "possessive",
  "likeness",
  "allOf",
]);
/** In a list such as "no blood, gore or guts" one negation reaches over the commas. */
const listed: ReadonlySet<Concept> = new Set<Concept>(["gore", "blood", "drugs", "profanity"]);
/** A list of what not to show may name these; for the legal floor, such a list is no excuse. */
const brandOnly: ReadonlySet<Concept> = new Set<Concept>([
  ...listed,
  "slur",
  "hateSlogan",
  "selfHarm",
  "selfHarmAct",
  "selfHarmUrge",
]);
const connectors = new Set("or and nor oder und noch ou et ni o y u e nem any even".split(" "));
const portuguese = new Set("um uma com nao ao dos das em sao pelo pela".split(" "));

function startsWord(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.isGlued !== true;
}

interface MatchedText {
  readonly tokens: readonly Token[];
  /** The text that the tokens point into. */
  readonly source: string;
  readonly matches: readonly Match[];
  /** The tokens that an age may begin with. */
  readonly agePlaces: readonly number[];
}

const none: readonly never[] = [];

/**
 * Words and phrases of the vocabulary in a text, less those that are exempt or negated, and those that
 * are ordinary words of the language around them. Sentences that are reversed, in rot13 or joined are
 * read a second time with that undone, as if they followed.
 */
export function findMatches(text: string, lexicon: Lexicon): MatchedText {
  const { views, ...own } = matchesIn(text, lexicon);
  const { decoded, guessed } = views;
  const withDecoded = decoded === "" ? own : joinMatches(own, matchesIn(decoded, lexicon));
  if (guessed === "") return withDecoded;
  const guess = matchesIn(guessed, lexicon);
  return joinMatches(withDecoded, { ...guess, matches: guess.matches.map(withDoubt) });
}

const noLanguages: ReadonlySet<Language> = new Set();

function withDoubt(match: Match): Match {
  return { ...match, doubt: match.doubt ?? { key: undefined, languages: noLanguages } };
}

function joinMatches(first: MatchedText, second: MatchedText): MatchedText {
  const offset = first.tokens.length;
  const sentences = (first.tokens.at(-1)?.sentence ?? 0) + 1;
  const clauses = (first.tokens.at(-1)?.clause ?? 0) + 1;
  const source = `${first.source}\n`;
  const tokens = second.tokens.map((token) => ({
    ...token,
    sentence: token.sentence + sentences,
    clause: token.clause + clauses,
    from: token.from + source.length,
    to: token.to + source.length,
  }));
  const matches = second.matches.map((match) => ({
    ...match,
    start: match.start + offset,
    end: match.end + offset,
  }));
  return {
    tokens: [...first.tokens, ...tokens],
    source: source + second.source,
    matches: [...first.matches, ...matches],
    agePlaces: [...first.agePlaces, ...second.agePlaces.map((at) => at + offset)],
  };
}

interface Draft {
  readonly concept: Concept;
  readonly term: number;
  readonly start: number;
  readonly end: number;
  /** The word that was read by guesswork, by its key. */
  readonly guess: number | undefined;
  readonly isGuess: boolean;
  readonly languages: Set<Language>;
}

function matchesIn(text: string, lexicon: Lexicon): MatchedText & { readonly views: FurtherViews } {
  const tokenised = tokenise(text);
  const { tokens, source } = tokenised;
  const { keys, others, agePlaces, isTurned, views } = readText(tokenised, text, lexicon);
  const drafts: Draft[] = [];
  /** Where the matches of the place under way begin. */
  let firstHere = 0;
  const { phrases, meaningOf } = lexicon;
  const draftHere = (concept: Concept, end: number, isGuess: boolean): Draft | undefined => {
    for (let at = firstHere; at < drafts.length; at += 1) {
      const draft = drafts[at];
      const isSame = draft?.concept === concept && draft.end === end;
      if (isSame && draft.isGuess === isGuess) return draft;
    }
    return undefined;
  };
  const add = (branch: number, start: number, end: number, guess: number | undefined): void => {
    for (let at = phrases.firstEnd(branch); at < phrases.firstEnd(branch + 1); at += 1) {
      const line = phrases.line(at);
      const { concept, language, isAnchored } = meaningOf(line);
      if (isAnchored && !startsWord(tokens, start)) continue;
      const isGuess = guess !== undefined;
      const known = draftHere(concept, end, isGuess);
      if (known !== undefined) known.languages.add(language);
      else {
        const languages = new Set([language]);
        drafts.push({ concept, term: line + 1, start, end, guess, isGuess, languages });
      }
    }
  };
  const step = (branch: number, key: number, start: number, end: number, guess?: number): void => {
    const next = phrases.next(branch, key);
    if (next === 0) return;
    add(next, start, end, guess);
    walk(next, start, end, guess);
  };
  const walk = (branch: number, start: number, at: number, guess?: number): void => {
    for (const key of keys[at] ?? none) step(branch, key, start, at + 1, guess);
    for (const other of others.get(at) ?? none) {
      for (const key of other.keys) {
        step(branch, key, start, other.end, other.isGuess ? key : guess);
      }
    }
  };
  for (let start = 0; start < tokens.length; start += 1) {
    firstHere = drafts.length;
    walk(0, start, start);
  }
  const certaintyOf = createCertainty(tokenised, drafts, lexicon);
  const all = drafts.flatMap((draft): Match[] => {
    const { concept, term, start, end, guess, languages } = draft;
    const certainty = certaintyOf(draft);
    if (certainty === "dropped") return [];
    const doubt = certainty === "sure" ? undefined : { key: guess, languages };
    return [{ concept, term, start, end, doubt }];
  });
  const meant = withoutBenign(all, tokens.length);
  const asserted = withoutNegated(meant, tokens);
  const matches = isTurned ? withNegatedUnsure(meant, new Set(asserted)) : asserted;
  return { tokens, source, agePlaces, matches, views };
}

/** Matches of words whose order may have no meaning, because some are reversed. */
function withNegatedUnsure(all: readonly Match[], asserted: ReadonlySet<Match>): readonly Match[] {
  return all.map((match) => (asserted.has(match) ? match : withDoubt(match)));
}

/** Phrases that are harmless of some people only. */
const harmlessOfSome: ReadonlySet<Concept> = new Set<Concept>(["bareTorso"]);

/** Drops what lies inside a harmless phrase. */
function withoutBenign(all: readonly Match[], length: number): Match[] {
  const reach = new Int32Array(length);
  for (const match of all) {
    if (match.concept !== "benign") continue;
    reach[match.start] = Math.max(reach[match.start] ?? 0, match.end);
  }
  // reach[i] becomes the furthest end of a phrase that begins at or before i.
  for (let at = 1; at < length; at += 1) reach[at] = Math.max(reach[at] ?? 0, reach[at - 1] ?? 0);
  return all.filter(
    ({ concept, start, end }) =>
      concept !== "benign" && ((reach[start] ?? 0) < end || harmlessOfSome.has(concept)),
  );
}

/** Marks, for each token, whether a negation before it reaches it. */
function negatedStarts(matches: readonly Match[], tokens: readonly Token[]): Uint8Array {
  const negated = new Uint8Array(tokens.length + 1);
  let isPortuguese: boolean | undefined;
  const covered = new Uint8Array(tokens.length);
  const undone = new Uint8Array(tokens.length);
  for (const { concept, start, end } of matches) {
    if (concept === "emphasis") undone.fill(1, start, end);
    if (end - start > 1 && concept !== "negator") covered.fill(1, start, end);
  }
  for (const { concept, start, end } of matches) {
    if (concept !== "negator" || covered[start] === 1) continue;
    const word = tokens[start]?.word;
    // In Portuguese "no" means "in the".
    if (word === "no") {
      isPortuguese ??= tokens.some((token) => portuguese.has(token.word));
      if (isPortuguese) continue;
    }
    const reach = word === "no" || word === "non" ? 2 : 3;
    for (let at = end; at < Math.min(end + reach, tokens.length); at += 1) {
      if (tokens[at]?.clause !== tokens[start]?.clause || undone[at] === 1) break;
      if (tokens[at]?.word === "but") break;
      negated[at] = 1;
    }
  }
  return negated;
}

/** Drops what the text says is not there. */
function withoutNegated(matches: readonly Match[], tokens: readonly Token[]): Match[] {
  const negated = negatedStarts(matches, tokens);
  const listSentences = new Set<number>();
  for (const { concept, start } of matches) {
    if (concept === "negativeList") listSentences.add(tokens[start]?.sentence ?? -1);
  }
  const kept: Match[] = [];
  let chainEnd = -1;
  const byStart = [...matches].sort((a, b) => a.start - b.start);
  for (const match of byStart) {
    if (grammar.has(match.concept)) {
      kept.push(match);
      continue;
    }
    let drop = negated[match.start] === 1;
    if (!drop && chainEnd >= 0 && match.start - chainEnd <= 1) {
      const between = tokens.slice(chainEnd, match.start);
      const linked = between.length > 0 && between.every((token) => connectors.has(token.word));
      const next = between.length === 0 && listed.has(match.concept);
      drop = linked || next;
    }
    if (drop) chainEnd = Math.max(chainEnd, match.end);
    const listedOut =
      brandOnly.has(match.concept) && listSentences.has(tokens[match.start]?.sentence ?? -2);
    if (!drop && !listedOut) kept.push(match);
  }
  return kept;
}
