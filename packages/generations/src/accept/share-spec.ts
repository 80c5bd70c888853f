import { isDeepStrictEqual } from "node:util";
import type { RenderSpec } from "@atelier/schemas";

/** A spec as it is sent to the database: `spec` is added to the spec of the first render if `shares`. */
interface SentSpec {
  readonly shares: boolean;
  readonly spec: Partial<RenderSpec>;
}

/**
 * Leaves out what the spec of a render has in common with that of the first one. The images of a request
 * share its texts, which would otherwise be written and sent once for each of them.
 */
export function withoutShared(first: RenderSpec, spec: RenderSpec): SentSpec {
  const common = new Map(entriesOf(first));
  const own = entriesOf(spec);
  const names = new Set<string>(own.map(([name]) => name));
  // A property that only the first one has could not be taken away.
  if (![...common.keys()].every((name) => names.has(name))) return { shares: false, spec };
  const different = own.filter(([name, value]) => !isDeepStrictEqual(common.get(name), value));
  return { shares: true, spec: Object.fromEntries(different) };
}

/** The properties that JSON has. */
function entriesOf(spec: RenderSpec): [name: string, value: unknown][] {
  return Object.entries(spec).filter(([, value]) => value !== undefined);
}
