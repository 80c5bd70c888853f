import { findNear, type Hit, type Hits } from "./hits.ts";
import type { AnyConcept } from "./any-concept.ts";
import type { Companion, Excuse, Rule } from "./rules.ts";

/** A place where a rule applies. */
export interface Offence {
  readonly anchor: Hit;
  /** The other matched words, near the anchor; empty when they are in other texts. */
  readonly companions: readonly Hit[];
  readonly certainty: "certain" | "uncertain";
}

const anywhere = Number.MAX_SAFE_INTEGER;

/** The companions of an anchor near it, or undefined when too few are; hits without doubt come first. */
function companionOf(
  hits: Hits,
  anchor: Hit,
  { any, within = anywhere, forward = false, different = 1 }: Companion,
  isSure: boolean,
): Hit | undefined {
  const terms = new Set<number>();
  for (const concept of any) {
    const where = ({ term, doubt }: Hit): boolean =>
      !(isSure && doubt !== undefined) && terms.add(term).size >= different;
    const hit = findNear(hits.get(concept), anchor, within, { forward, where });
    if (hit !== undefined) return hit;
  }
  return undefined;
}

function excused(
  hits: Hits,
  anchor: Hit,
  { any, within, before, after, unlessAfter = [], unlessBefore = [], unlessBeside = [] }: Excuse,
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
  const isAfterSpoiling = unlessAfter.some((concept) => {
    const where = (hit: Hit): boolean => hit.end <= anchor.start && !isExcuseAfter(hit);
    return findNear(hits.get(concept), anchor, spoilsWithin, { where }) !== undefined;
  });
  const isBeforeSpoiling = unlessBefore.some(
    (concept) => findNear(hits.get(concept), anchor, spoilsWithin, { forward: true }) !== undefined,
  );
  const isBesideSpoiling = unlessBeside.some(
    (concept) => findNear(hits.get(concept), anchor, besideWithin) !== undefined,
  );
  if (isAfterSpoiling || isBeforeSpoiling || isBesideSpoiling) return false;
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

/** How near "drawing of" must stand before what it asks for, and "…の絵" after it, in tokens. */
const spoilsWithin = 3;
/** How near "photo" must stand to what it may show, and "template" to what it makes, in tokens. */
const besideWithin = 2;

/**
 * Where a rule applies in a text; the first place where it does so for certain, or else the first one.
 *
 * @param request the hits of all texts around it.
 */
export function firstOffence(
  rule: Rule,
  hits: Hits,
  request: readonly Hits[] = [hits],
): Offence | undefined {
  const near = rule.near ?? [];
  const unless = rule.unless ?? [];
  const softens = rule.softens ?? [];
  for (const companion of near) {
    if (!companion.any.some((concept) => hits.has(concept))) return undefined;
  }
  // A doubtful word refuses nothing by itself: it needs a second indication.
  const isAlone = near.length === 0 && rule.references !== true;
  let uncertain: Offence | undefined;
  for (const concept of rule.any) {
    for (const anchor of hits.get(concept) ?? []) {
      const isAnchorSure = anchor.doubt === undefined;
      if (!isAnchorSure && (isAlone || uncertain !== undefined)) continue;
      const sure = isAnchorSure ? companionsOf(hits, anchor, near, true) : undefined;
      const companions = sure ?? companionsOf(hits, anchor, near, false);
      if (companions === undefined) continue;
      if (unless.some((excuse) => excused(hits, anchor, excuse, request, rule))) continue;
      const isSoftened = softens.some((excuse) => excused(hits, anchor, excuse, request, rule));
      if (sure !== undefined && !isSoftened) return { anchor, companions, certainty: "certain" };
      uncertain ??= { anchor, companions, certainty: "uncertain" };
    }
  }
  return uncertain;
}

function companionsOf(
  hits: Hits,
  anchor: Hit,
  near: readonly Companion[],
  isSure: boolean,
): readonly Hit[] | undefined {
  const found: Hit[] = [];
  for (const companion of near) {
    const hit = companionOf(hits, anchor, companion, isSure);
    if (hit === undefined) return undefined;
    found.push(hit);
  }
  return found;
}

/**
 * Whether a rule for combinations applies when its parts stand in different texts: the offence in
 * `hits`, its companions in any text of the `request`. Each text is innocent by itself, so this is
 * never certain.
 */
export function offenceAcross(
  rule: Rule,
  hits: Hits,
  request: readonly Hits[],
): Offence | undefined {
  const near = rule.near ?? [];
  const together = near.every((companion) =>
    request.some((other) => companion.any.some((concept) => other.has(concept))),
  );
  if (!together) return undefined;
  const offence = firstOffence({ ...rule, near: [] }, hits, request);
  return offence === undefined ? undefined : { ...offence, certainty: "uncertain" };
}
