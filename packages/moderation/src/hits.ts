import { findMinorAges } from "./ages.ts";
import { derivations } from "./derivations.ts";
import { readText } from "./lattice.ts";
import type { Branch, Lexicon, Term } from "./lexicon.ts";
import { tokenise, type Token } from "./tokenise.ts";
import type { Concept } from "./vocabulary/index.ts";

/** Concepts that no word stands for by itself: combinations of others make them. */
type DerivedConcept = "acquaintance" | "fullName" | "garmentRemoval" | "likenedToVermin";
export type AnyConcept = Concept | DerivedConcept;

/** One place of a text that means a concept; `start` and `end` (exclusive) count tokens. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  /** Different words have different ones. */
  readonly term: number;
}

/** The hits of each concept, by start. */
export type Hits = ReadonlyMap<AnyConcept, readonly Hit[]>;

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
/** What a "negative prompt" may leave out by naming it; the legal floor does not believe it. */
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

function findMatches(text: string, lexicon: Lexicon): { tokens: readonly Token[]; all: Match[] } {
  const tokenised = tokenise(text);
  const readings = readText(tokenised, lexicon);
  const all: Match[] = [];
  const add = (terms: readonly Term[], start: number, end: number): void => {
    for (const term of terms) all.push({ concept: term.concept, term: term.id, start, end });
  };
  const walk = (branch: Branch, start: number, at: number): void => {
    for (const reading of readings[at] ?? []) {
      if (at === start) add(lexicon.termsOfPrefix(reading.word), start, reading.end);
      const next = branch.next?.get(reading.word);
      if (next === undefined) continue;
      add(next.terms, start, reading.end);
      if (next.next !== undefined) walk(next, start, reading.end);
    }
  };
  for (let start = 0; start < readings.length; start += 1) walk(lexicon.root, start, start);
  return { tokens: tokenised.tokens, all };
}

/** Drops what lies inside a harmless phrase. */
function withoutBenign(all: readonly Match[], length: number): Match[] {
  const reach = new Int32Array(length);
  for (const match of all) {
    if (match.concept !== "benign") continue;
    reach[match.start] = Math.max(reach[match.start] ?? 0, match.end);
  }
  // reach[i] becomes the furthest end of a phrase that begins at or before i.
  for (let at = 1; at < length; at += 1) reach[at] = Math.max(reach[at] ?? 0, reach[at - 1] ?? 0);
  return all.filter((match) => match.concept !== "benign" && (reach[match.start] ?? 0) < match.end);
}

/** Marks, for each token, whether a negation before it reaches it. */
function negatedStarts(matches: readonly Match[], tokens: readonly Token[]): Uint8Array {
  const negated = new Uint8Array(tokens.length + 1);
  const isPortuguese = tokens.some((token) => portuguese.has(token.word));
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
    if (word === "no" && isPortuguese) continue;
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

/** How many tokens lie between two hits; 0 when they touch or overlap. */
function gapBetween(a: Hit, b: Hit): number {
  return Math.max(0, b.start - a.end, a.start - b.end);
}

/** Index of the first hit that starts at or after a token. */
function firstFrom(hits: readonly Hit[], token: number): number {
  let low = 0;
  let high = hits.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hits[middle]?.start ?? 0) < token) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Phrases are no longer than this many tokens; bounds how far back a search must look. */
const longestHit = 32;

/** The hits at most `within` tokens away from a hit; with `forward`, only those after it. */
export function* hitsNear(
  hits: readonly Hit[],
  anchor: Hit,
  within: number,
  forward = false,
): Generator<Hit> {
  const from = forward ? anchor.end : anchor.start - within - longestHit;
  for (let at = firstFrom(hits, from); at < hits.length; at += 1) {
    const hit = hits[at];
    if (hit === undefined || hit.start > anchor.end + within) return;
    if (gapBetween(anchor, hit) <= within) yield hit;
  }
}

function addAges(tokens: readonly Token[], found: Map<AnyConcept, Hit[]>): void {
  const things = found.get("agedThing") ?? [];
  const people = [found.get("person"), found.get("girlWord"), found.get("minor")];
  const minors = found.get("minor") ?? [];
  const ages: Hit[] = [];
  const young = [found.get("girlWord"), found.get("boyWord"), found.get("firstName")];
  for (const { start, end, sure, bare } of findMinorAges(tokens)) {
    const hit: Hit = { start, end, term: 0 };
    if (bare === true) {
      if (young.some((hits) => hits?.some(({ end: last }) => last === start))) ages.push(hit);
      continue;
    }
    const ofThing = [...hitsNear(things, hit, 3)].length > 0;
    const ofPerson = people.some((hits) => [...hitsNear(hits ?? [], hit, 6)].length > 0);
    if (sure ? !ofThing || ofPerson : ofPerson && !ofThing) ages.push(hit);
  }
  if (ages.length === 0) return;
  found.set(
    "minor",
    [...minors, ...ages].sort((a, b) => a.start - b.start),
  );
}

/** A first name and a capitalised word after it. */
function addFullNames(tokens: readonly Token[], found: Map<AnyConcept, Hit[]>): void {
  const names: Hit[] = [];
  for (const hit of found.get("firstName") ?? []) {
    const surname = tokens[hit.end];
    const first = tokens[hit.start];
    if (first?.capitalised !== true || surname?.capitalised !== true) continue;
    if (surname.sentence !== first.sentence || surname.clause !== first.clause) continue;
    names.push({ start: hit.start, end: hit.end + 1, term: hit.term });
  }
  if (names.length > 0) found.set("fullName", names);
}

/** Whether two hits stand in one clause with none of `concepts` between them. */
function isConnected(
  first: Hit,
  second: Hit,
  concepts: readonly AnyConcept[],
  tokens: readonly Token[],
  found: ReadonlyMap<AnyConcept, readonly Hit[]>,
): boolean {
  if (tokens[first.start]?.clause !== tokens[second.start]?.clause) return false;
  return !concepts.some((concept) => {
    const hits = found.get(concept) ?? [];
    const next = hits[firstFrom(hits, first.end)];
    return next !== undefined && next.start < second.start;
  });
}

function addDerived(tokens: readonly Token[], found: Map<AnyConcept, Hit[]>): void {
  for (const { concept, from, beside, within, forward, unlessBetween } of derivations) {
    const made: Hit[] = [];
    for (const anchor of found.get(from) ?? []) {
      for (const other of beside) {
        let near: Hit | undefined;
        for (const hit of hitsNear(found.get(other) ?? [], anchor, within, forward)) {
          const apart =
            unlessBetween !== undefined && !isConnected(anchor, hit, unlessBetween, tokens, found);
          if (apart) continue;
          near = hit;
          break;
        }
        if (near === undefined) continue;
        made.push({
          start: Math.min(anchor.start, near.start),
          end: Math.max(anchor.end, near.end),
          term: anchor.term,
        });
        break;
      }
    }
    if (made.length === 0) continue;
    const all = [...(found.get(concept) ?? []), ...made];
    found.set(
      concept,
      all.sort((a, b) => a.start - b.start),
    );
  }
}

/**
 * What a text means, concept by concept. Harmless phrases and what is negated are left out,
 * disguised spellings are read. Linear in the length of the text.
 */
export function findHits(text: string, lexicon: Lexicon): Hits {
  const { tokens, all } = findMatches(text, lexicon);
  const meant = withoutNegated(withoutBenign(all, tokens.length), tokens);
  const found = new Map<AnyConcept, Hit[]>();
  for (const { concept, start, end, term } of meant) {
    const known = found.get(concept);
    if (known === undefined) found.set(concept, [{ start, end, term }]);
    else known.push({ start, end, term });
  }
  addAges(tokens, found);
  addFullNames(tokens, found);
  addDerived(tokens, found);
  return found;
}
