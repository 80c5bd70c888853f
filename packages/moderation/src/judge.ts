import { hitsNear, type AnyConcept, type Hit, type Hits } from "./hits.ts";
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
    const of = hits.get(concept);
    if (of === undefined) continue;
    for (const hit of hitsNear(of, anchor, within, forward)) {
      terms.add(hit.term);
      if (terms.size >= different) return true;
    }
  }
  return false;
}

function accompanied(hits: Hits, anchor: Hit, { any, ...how }: Companion): boolean {
  return anyNear(hits, anchor, any, how.within, how.forward ?? false, how.different ?? 1);
}

function excused(
  hits: Hits,
  anchor: Hit,
  { any, within, before }: Excuse,
  request: readonly Hits[],
): boolean {
  if (within === undefined) {
    return any.some((concept) => request.some((text) => text.has(concept)));
  }
  if (before !== true) return anyNear(hits, anchor, any, within, false, 1);
  return any.some((concept) => {
    for (const hit of hitsNear(hits.get(concept) ?? [], anchor, within)) {
      if (hit.start < anchor.start) return true;
    }
    return false;
  });
}

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
      if (!unless.some((excuse) => excused(hits, anchor, excuse, request))) return anchor;
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
