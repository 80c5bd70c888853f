import { findMinorAges } from "./ages.ts";
import { derivations, unlessWithin, type Derivation } from "./derivations.ts";
import { readText } from "./lattice.ts";
import type { Branch, Lexicon, Term } from "./lexicon.ts";
import { tokenise, type Token } from "./tokenise.ts";
import type { Concept } from "./vocabulary/index.ts";

/** Concepts that no word stands for by itself: combinations of others make them. */
type DerivedConcept =
  | "acquaintance"
  | "childName"
  | "fullName"
  | "garmentRemoval"
  | "label"
  | "likenedToVermin";
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

/** Whether one of `concepts` begins between two hits, the first of which stands before the second. */
function isBetween(
  concepts: readonly AnyConcept[],
  first: Hit,
  second: Hit,
  found: ReadonlyMap<AnyConcept, readonly Hit[]>,
): boolean {
  return concepts.some((concept) => {
    const hits = found.get(concept) ?? [];
    const next = hits[firstFrom(hits, first.end)];
    return next !== undefined && next.start < second.start;
  });
}

/** Where a colon makes of a group's name a label, as in "Character (Jews): …". */
function addLabels(tokens: readonly Token[], found: Map<AnyConcept, Hit[]>): void {
  const labels: Hit[] = [];
  for (const { start, end, term } of found.get("group") ?? []) {
    const begins = tokens[start - 1]?.clause !== tokens[start]?.clause;
    if (begins && tokens[end]?.afterColon === true) labels.push({ start: end, end, term });
  }
  if (labels.length > 0) found.set("label", labels);
}

/** The names of children told of in other texts, where they are written as there. */
function addChildNames(
  tokens: readonly Token[],
  names: ReadonlySet<string>,
  found: Map<AnyConcept, Hit[]>,
): void {
  const hits: Hit[] = [];
  for (const [at, { word, capitalised }] of tokens.entries()) {
    if (capitalised && names.has(word)) hits.push({ start: at, end: at + 1, term: 0 });
  }
  if (hits.length > 0) found.set("childName", hits);
}

/** What stands beside an anchor as a derivation wants it. */
function findBeside(
  derivation: Derivation,
  anchor: Hit,
  tokens: readonly Token[],
  found: ReadonlyMap<AnyConcept, readonly Hit[]>,
): Hit | undefined {
  const { beside, within, forward, inOne, unlessBetween = [], unlessNear = [] } = derivation;
  for (const excuse of unlessNear) {
    const near = hitsNear(found.get(excuse) ?? [], anchor, unlessWithin).next();
    if (near.done !== true) return undefined;
  }
  for (const concept of beside) {
    for (const hit of hitsNear(found.get(concept) ?? [], anchor, within, forward)) {
      // "Licking her lips" is not its own person.
      if (hit.start >= anchor.start && hit.end <= anchor.end) continue;
      const apart =
        inOne !== undefined && tokens[anchor.start]?.[inOne] !== tokens[hit.start]?.[inOne];
      if (!apart && !isBetween(unlessBetween, anchor, hit, found)) return hit;
    }
  }
  return undefined;
}

function addDerived(tokens: readonly Token[], found: Map<AnyConcept, Hit[]>): void {
  for (const derivation of derivations) {
    const { concept, from } = derivation;
    const made: Hit[] = [];
    for (const anchor of found.get(from) ?? []) {
      const other = findBeside(derivation, anchor, tokens, found);
      if (other === undefined) continue;
      made.push({
        start: Math.min(anchor.start, other.start),
        end: Math.max(anchor.end, other.end),
        term: anchor.term,
      });
    }
    if (made.length === 0) continue;
    const all = [...(found.get(concept) ?? []), ...made];
    found.set(
      concept,
      all.sort((a, b) => a.start - b.start),
    );
  }
}

const noNames: ReadonlySet<string> = new Set();

/** What begins a name and also sentences about somebody else: "The Boy", "Little Red". */
const notNames = new Set(
  "the a an little old young big small der die das ein eine kleine kleiner kleines le la les l un une petit petite el los las una il lo i gli o os as um uma".split(
    " ",
  ),
);

/** The capitalised words of a character's name, without articles and the like. */
export function namesIn(name: string): string[] {
  return tokenise(name)
    .tokens.filter(({ word, capitalised }) => capitalised && !notNames.has(word))
    .map(({ word }) => word);
}

/**
 * What a text means, concept by concept. Harmless phrases and what is negated are left out,
 * disguised spellings are read. Linear in the length of the text.
 *
 * @param childNames from {@link namesIn}: whom other texts of the request describe as children.
 */
export function findHits(
  text: string,
  lexicon: Lexicon,
  childNames: ReadonlySet<string> = noNames,
): Hits {
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
  addChildNames(tokens, childNames, found);
  addLabels(tokens, found);
  addDerived(tokens, found);
  return found;
}
