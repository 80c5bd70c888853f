import { derivations, unlessWithin, type Derivation } from "./derivations.ts";
import type { Lexicon } from "./lexicon/lexicon.ts";
import { findMatches, type Hit } from "./matches.ts";
import { findMinorAges, isBirthYearOfMinor, numberAt } from "./text/ages.ts";
import { withoutInvisible } from "./text/characters.ts";
import { tokenise, type Token } from "./text/tokenise.ts";
import type { AnyConcept } from "./any-concept.ts";

export type { Hit };

/** The hits of each concept, by start. */
export type Hits = ReadonlyMap<AnyConcept, readonly Hit[]>;

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
const longestPhrase = 32;
const longestByHits = new WeakMap<readonly Hit[], number>();

/** Tokens of the longest of some hits, which do not change any more. */
function longestHit(hits: readonly Hit[]): number {
  let longest = longestByHits.get(hits);
  if (longest === undefined) {
    longest = hits.reduce((most, { start, end }) => Math.max(most, end - start), 0);
    longest = Math.min(longest, longestPhrase);
    longestByHits.set(hits, longest);
  }
  return longest;
}

/**
 * The first hit at most `within` tokens away from an anchor that a condition holds for; with `forward`,
 * of those after it.
 */
export function findNear(
  hits: readonly Hit[] | undefined,
  anchor: Hit,
  within: number,
  { forward = false, where }: { forward?: boolean; where?: (hit: Hit) => boolean } = {},
): Hit | undefined {
  if (hits === undefined) return undefined;
  const from = forward ? anchor.end : anchor.start - within - longestHit(hits);
  for (let at = firstFrom(hits, from); at < hits.length; at += 1) {
    const hit = hits[at];
    if (hit === undefined || hit.start > anchor.end + within) return undefined;
    if (gapBetween(anchor, hit) <= within && (where === undefined || where(hit))) return hit;
  }
  return undefined;
}

function addAges(
  tokens: readonly Token[],
  places: readonly number[],
  found: Map<AnyConcept, Hit[]>,
): void {
  const things = found.get("agedThing") ?? [];
  const people = (["person", "girlWord", "minor", "nudity"] as const).map((concept) =>
    found.get(concept),
  );
  const ages: Hit[] = [];
  const young = (["girlWord", "boyWord", "person", "firstName"] as const).flatMap(
    (concept) => found.get(concept) ?? [],
  );
  const youngEnds = new Set(young.map(({ end }) => end));
  for (const { start, end, sure, bare } of findMinorAges(tokens, places)) {
    const hit: Hit = { start, end, term: 0, doubt: undefined };
    if (bare === true) {
      if (youngEnds.has(start)) ages.push(hit);
      continue;
    }
    const ofThing = findNear(things, hit, 3) !== undefined;
    const ofPerson = people.some((hits) => findNear(hits, hit, 6) !== undefined);
    if (sure ? !ofThing || ofPerson : ofPerson && !ofThing) ages.push(hit);
  }
  addHits("minor", ages, found);
}

/** A first name and a capitalised word after it. */
function addFullNames(tokens: readonly Token[], found: Map<AnyConcept, Hit[]>): void {
  const names: Hit[] = [];
  for (const hit of found.get("firstName") ?? []) {
    const surname = tokens[hit.end];
    const first = tokens[hit.start];
    if (first?.capitalised !== true || surname?.capitalised !== true) continue;
    if (surname.sentence !== first.sentence || surname.clause !== first.clause) continue;
    names.push({ ...hit, end: hit.end + 1 });
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
  for (const { start, end, term, doubt } of found.get("group") ?? []) {
    const begins = tokens[start - 1]?.clause !== tokens[start]?.clause;
    if (begins && tokens[end]?.afterColon === true) labels.push({ start: end, end, term, doubt });
  }
  if (labels.length > 0) found.set("label", labels);
}

/** The names of children that other texts describe, in the same capitalisation. */
function addChildNames(
  tokens: readonly Token[],
  names: ReadonlySet<string>,
  found: Map<AnyConcept, Hit[]>,
): void {
  if (names.size === 0) return;
  const hits: Hit[] = [];
  for (const [at, { word, capitalised }] of tokens.entries()) {
    if (capitalised && names.has(word)) {
      hits.push({ start: at, end: at + 1, term: 0, doubt: undefined });
    }
  }
  if (hits.length > 0) found.set("childName", hits);
}

/** Whether two words of the vocabulary are written as one token: "bambinonudo". */
function isJoined(a: Hit, b: Hit): boolean {
  return a.end - a.start === 1 && b.end - b.start === 1 && a.term !== b.term;
}

/** The first hit beside an anchor that fits a derivation. */
function findBeside(
  derivation: Derivation,
  anchor: Hit,
  tokens: readonly Token[],
  found: ReadonlyMap<AnyConcept, readonly Hit[]>,
): Hit | undefined {
  const {
    beside,
    within,
    forward,
    inOne,
    unlessBetween = [],
    unlessNear = [],
    onlyBetween,
  } = derivation;
  for (const excuse of unlessNear) {
    if (findNear(found.get(excuse), anchor, unlessWithin) !== undefined) return undefined;
  }
  const fits = (hit: Hit): boolean => {
    // "Licking her lips" is not its own person, but joined words are two.
    const isInside = hit.start >= anchor.start && hit.end <= anchor.end;
    if (isInside && !isJoined(hit, anchor)) return false;
    const isApart =
      inOne !== undefined && tokens[anchor.start]?.[inOne] !== tokens[hit.start]?.[inOne];
    if (isApart || isBetween(unlessBetween, anchor, hit, found)) return false;
    return onlyBetween === undefined || isBetween(onlyBetween, anchor, hit, found);
  };
  const conditions = [(hit: Hit) => hit.doubt === undefined && fits(hit), fits];
  for (const where of conditions) {
    for (const concept of beside) {
      const hit = findNear(found.get(concept), anchor, within, { forward, where });
      if (hit !== undefined) return hit;
    }
  }
  return undefined;
}

function addDerived(tokens: readonly Token[], found: Map<AnyConcept, Hit[]>): void {
  for (const derivation of derivations) {
    const { concept, from } = derivation;
    const combined: Hit[] = [];
    for (const anchor of found.get(from) ?? []) {
      const other = findBeside(derivation, anchor, tokens, found);
      if (other === undefined) continue;
      combined.push({
        start: Math.min(anchor.start, other.start),
        end: Math.max(anchor.end, other.end),
        term: anchor.term,
        doubt: anchor.doubt ?? other.doubt,
      });
    }
    addHits(concept, combined, found);
  }
}

/**
 * Sexual words that are not merely those of a statute, lesson or campaign, which an excuse can name:
 * "sexual pose", but not the "sexual" of "sexual abuse".
 */
function addPlain(found: Map<AnyConcept, Hit[]>): void {
  const topics = [...(found.get("sexTopic") ?? []), ...(found.get("abuseTopic") ?? [])];
  topics.sort((a, b) => a.start - b.start);
  for (const [plain, from] of [
    ["plainAct", "sexualAct"],
    ["plainSuggestive", "suggestive"],
  ] as const) {
    const hits = (found.get(from) ?? []).filter((hit) => {
      const where = ({ start, end }: Hit): boolean => start <= hit.start && end >= hit.end;
      return findNear(topics, hit, 0, { where }) === undefined;
    });
    if (hits.length > 0) found.set(plain, hits);
  }
}

/** "Under 18", "not yet 16": a limit right before a number up to 18. */
function addLimits(tokens: readonly Token[], found: Map<AnyConcept, Hit[]>): void {
  const people = [found.get("person"), found.get("girlWord"), found.get("boyWord")];
  const combined: Hit[] = [];
  for (const { start, end, term, doubt } of found.get("limit") ?? []) {
    for (let at = end; at < end + 4; at += 1) {
      const number = numberAt(tokens, at);
      if (number === undefined) continue;
      const hit: Hit = { start, end: at + number.length, term, doubt };
      const isPerson = people.some((hits) => findNear(hits, hit, 8) !== undefined);
      if (number.value >= 3 && number.value <= 18 && isPerson) combined.push(hit);
      break;
    }
  }
  addHits("minor", combined, found);
}

/** Most tokens between "born" and its year: "on the third of May". */
const dateLength = 5;

/** "Born in 2015", "2015 doğumlu": a year that makes somebody a minor today. */
function addBirthYears(tokens: readonly Token[], found: Map<AnyConcept, Hit[]>): void {
  const thisYear = new Date().getUTCFullYear();
  const combined: Hit[] = [];
  for (const { start, end, term, doubt } of found.get("born") ?? []) {
    for (let at = Math.max(0, start - 2); at < Math.min(end + dateLength, tokens.length); at += 1) {
      if (!isBirthYearOfMinor(tokens[at]?.word ?? "", thisYear)) continue;
      combined.push({ start: Math.min(start, at), end: Math.max(end, at + 1), term, doubt });
      break;
    }
  }
  addHits("minor", combined, found);
}

function addHits(concept: AnyConcept, hits: readonly Hit[], found: Map<AnyConcept, Hit[]>): void {
  if (hits.length === 0) return;
  const all = [...(found.get(concept) ?? []), ...hits];
  found.set(
    concept,
    all.sort((a, b) => a.start - b.start),
  );
}

/** "IS" as an organisation: in capitals, and not because the words around it are, too. */
function addAcronyms(tokens: readonly Token[], found: Map<AnyConcept, Hit[]>): void {
  const isWritten = (hit: Hit): boolean =>
    tokens.slice(hit.start, hit.end).every(({ isAcronym }) => isAcronym) &&
    tokens[hit.start - 1]?.isAcronym !== true &&
    tokens[hit.end]?.isAcronym !== true;
  addHits("bannedGroup", (found.get("bannedAcronym") ?? []).filter(isWritten), found);
}

const noNames: ReadonlySet<string> = new Set();

/** Words that begin a name and also ordinary sentences: "The Boy", "Little Red". */
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

/** A text as its concepts. */
interface ReadText {
  readonly hits: Hits;
  /** The words of a place, as the client wrote them. */
  readonly wordsAt: (place: Hit) => string;
}

/**
 * Finds the concepts of a text. Harmless phrases and negated words are left out,
 * disguised spellings are read. Linear in the length of the text.
 *
 * @param childNames from {@link namesIn}: characters that other texts of the request describe as children.
 */
export function findHits(
  text: string,
  lexicon: Lexicon,
  childNames: ReadonlySet<string> = noNames,
): ReadText {
  const { tokens, source, matches, agePlaces } = findMatches(text, lexicon);
  const found = new Map<AnyConcept, Hit[]>();
  for (const { concept, ...hit } of matches) {
    const known = found.get(concept);
    if (known === undefined) found.set(concept, [hit]);
    else known.push(hit);
  }
  addAcronyms(tokens, found);
  addAges(tokens, agePlaces, found);
  addFullNames(tokens, found);
  addChildNames(tokens, childNames, found);
  addLabels(tokens, found);
  addLimits(tokens, found);
  addBirthYears(tokens, found);
  addDerived(tokens, found);
  addPlain(found);
  const wordsAt = ({ start, end }: Hit): string =>
    withoutInvisible(source.slice(tokens[start]?.from ?? 0, tokens[end - 1]?.to ?? 0));
  return { hits: found, wordsAt };
}

/**
 * Reads a negative prompt as what the picture lacks: without clothes a person is nude, and
 * a person who is not an adult is a minor. "No nudity" means nothing.
 *
 * @param hits those of a negative prompt.
 */
export function absenceOf(hits: Hits): Hits {
  const clothes = hits.get("clothes") ?? [];
  const garments = [...clothes, ...(hits.get("bodyGarment") ?? [])];
  const absences: [AnyConcept, readonly Hit[]][] = [
    ["nudity", clothes],
    ["garmentRemoval", garments.sort((a, b) => a.start - b.start)],
    ["minor", hits.get("adulthood") ?? []],
  ];
  return new Map(absences.filter(([, found]) => found.length > 0));
}
