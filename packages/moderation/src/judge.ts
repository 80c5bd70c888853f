import { findNear, type AnyConcept, type Hit, type Hits } from "./hits.ts";
import type { Companion, Excuse, Rule } from "./rules.ts";

function anyNear(
  hits: Hits,
  anchor: Hit,
  concepts: readonly AnyConcept[],
  within: number,
  forward: boolean,
  different: number,
): boolean {
  const terms = new Set<number>();
  for (const concept of concepts) {
    const where = ({ term }: Hit): boolean => terms.add(term).size >= different;
    if (findNear(hits.get(concept), anchor, within, { forward, where }) !== undefined) return true;
  }
  return false;
}

const anywhere = Number.MAX_SAFE_INTEGER;

function accompanied(hits: Hits, anchor: Hit, { any, ...how }: Companion): boolean {
  return anyNear(
    hits,
    anchor,
    any,
    how.within ?? anywhere,
    how.forward ?? false,
    how.different ?? 1,
  );
}

function excused(
  hits: Hits,
  anchor: Hit,
  { any, within, before, after, unlessAfter = [] }: Excuse,
  request: readonly Hits[],
  rule: Rule,
): boolean {
  if (within === undefined) {
    return any.some((concept) => request.some((text) => text.has(concept)));
  }
  // "Drawing of abuse" is no excuse, "sketch of a trial for abuse" is.
  const isExcuseAfter = (spoiling: Hit): boolean =>
    any.some((concept) => {
      const where = ({ start, end }: Hit): boolean => start >= spoiling.end && end <= anchor.start;
      return findNear(hits.get(concept), anchor, spoilsWithin, { where }) !== undefined;
    });
  const isSpoilt = unlessAfter.some((concept) => {
    const where = (hit: Hit): boolean => hit.end <= anchor.start && !isExcuseAfter(hit);
    return findNear(hits.get(concept), anchor, spoilsWithin, { where }) !== undefined;
  });
  if (isSpoilt) return false;
  const last = anchor.end + (before === true ? -1 : (after ?? within));
  const where = ({ start, end }: Hit): boolean =>
    before === true ? start < anchor.start : start <= last || end <= anchor.start;
  const counts = (hit: Hit): boolean => where(hit) && !isPartOf(hit, hits, rule.any);
  return any.some(
    (concept) => findNear(hits.get(concept), anchor, within, { where: counts }) !== undefined,
  );
}

/** Whether an excuse is a word of the offence itself: "police" in "fake police badge". */
function isPartOf(excuse: Hit, hits: Hits, offences: readonly AnyConcept[]): boolean {
  const where = ({ start, end }: Hit): boolean =>
    start <= excuse.start && end >= excuse.end && end - start > excuse.end - excuse.start;
  return offences.some(
    (concept) => findNear(hits.get(concept), excuse, 0, { where }) !== undefined,
  );
}

/** How near "drawing of" must stand before what it asks for, in tokens. */
const spoilsWithin = 3;

/** Where in a text a rule strikes, or undefined; `request` are the hits of all texts around it. */
export function firstOffence(
  rule: Rule,
  hits: Hits,
  request: readonly Hits[] = [hits],
): Hit | undefined {
  const near = rule.near ?? [];
  const unless = rule.unless ?? [];
  for (const companion of near) {
    if (!companion.any.some((concept) => hits.has(concept))) return undefined;
  }
  for (const concept of rule.any) {
    for (const anchor of hits.get(concept) ?? []) {
      if (!near.every((companion) => accompanied(hits, anchor, companion))) continue;
      if (!unless.some((excuse) => excused(hits, anchor, excuse, request, rule))) return anchor;
    }
  }
  return undefined;
}

/**
 * Whether a rule for combinations strikes when its parts stand in different texts: the offence in
 * `hits`, its companions in any text of the `request`.
 */
export function offenceAcross(rule: Rule, hits: Hits, request: readonly Hits[]): boolean {
  const near = rule.near ?? [];
  const together = near.every((companion) =>
    request.some((other) => companion.any.some((concept) => other.has(concept))),
  );
  return together && firstOffence({ ...rule, near: [] }, hits, request) !== undefined;
}
