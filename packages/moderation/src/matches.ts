import type { Concept } from "./lexicon/concepts.ts";
import type { Lexicon } from "./lexicon/lexicon.ts";
import { readText } from "./lexicon/readings.ts";
import { tokenise, type Token } from "./text/tokenise.ts";

/** One place of a text that means a concept; `start` and `end` (exclusive) count tokens. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  /** Different words have different ones; 0 for what no line of the vocabulary names. */
  readonly term: number;
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
  readonly matches: readonly Match[];
  /** The tokens that an age may begin with. */
  readonly agePlaces: readonly number[];
}

const none: readonly never[] = [];

/**
 * Words and phrases of the vocabulary in a text, less those that are exempt or negated. Sentences
 * that are reversed, in rot13 or joined are read a second time with that undone, as if they followed.
 */
export function findMatches(text: string, lexicon: Lexicon): MatchedText {
  const { views, ...own } = matchesIn(text, lexicon);
  return views === "" ? own : joinMatches(own, matchesIn(views, lexicon));
}

function joinMatches(first: MatchedText, second: MatchedText): MatchedText {
  const offset = first.tokens.length;
  const sentences = (first.tokens.at(-1)?.sentence ?? 0) + 1;
  const clauses = (first.tokens.at(-1)?.clause ?? 0) + 1;
  const tokens = second.tokens.map((token) => ({
    ...token,
    sentence: token.sentence + sentences,
    clause: token.clause + clauses,
  }));
  const matches = second.matches.map((match) => ({
    ...match,
    start: match.start + offset,
    end: match.end + offset,
  }));
  return {
    tokens: [...first.tokens, ...tokens],
    matches: [...first.matches, ...matches],
    agePlaces: [...first.agePlaces, ...second.agePlaces.map((at) => at + offset)],
  };
}

function matchesIn(text: string, lexicon: Lexicon): MatchedText & { readonly views: string } {
  const tokenised = tokenise(text);
  const { keys, others, agePlaces, isTurned, views } = readText(tokenised, text, lexicon);
  const all: Match[] = [];
  /** Where the matches of the place under way begin. */
  let firstHere = 0;
  const isKnown = (concept: Concept, end: number): boolean => {
    for (let at = firstHere; at < all.length; at += 1) {
      const match = all[at];
      if (match?.concept === concept && match.end === end) return true;
    }
    return false;
  };
  const { phrases, meaningOf } = lexicon;
  const add = (branch: number, start: number, end: number): void => {
    for (let at = phrases.firstEnd(branch); at < phrases.firstEnd(branch + 1); at += 1) {
      const line = phrases.line(at);
      const { concept, isAnchored } = meaningOf(line);
      if (isAnchored && !startsWord(tokenised.tokens, start)) continue;
      if (!isKnown(concept, end)) all.push({ concept, term: line + 1, start, end });
    }
  };
  const step = (branch: number, known: readonly number[], start: number, end: number): void => {
    for (const key of known) {
      const next = phrases.next(branch, key);
      if (next === 0) continue;
      add(next, start, end);
      walk(next, start, end);
    }
  };
  const walk = (branch: number, start: number, at: number): void => {
    const here = keys[at];
    if (here === undefined) return;
    if (here.length > 0) step(branch, here, start, at + 1);
    for (const other of others.get(at) ?? none) step(branch, other.keys, start, other.end);
  };
  const { tokens } = tokenised;
  for (let start = 0; start < tokens.length; start += 1) {
    firstHere = all.length;
    walk(0, start, start);
  }
  const meant = withoutBenign(all, tokens.length);
  const matches = isTurned ? meant : withoutNegated(meant, tokens);
  return { tokens, agePlaces, matches, views };
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
