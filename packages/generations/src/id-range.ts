/** Ids from `from`, below `to`. */
export interface IdRange {
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;

/** The smallest UUID of a time (RFC 9562, section 5.7), in milliseconds since 1970. */
export function idAt(time: number): string {
  const hex = Math.min(Math.max(time, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The time in a UUIDv7, in milliseconds since 1970. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/**
 * The ids of the rows that were written with rows of these ids: renders are made with their generation. Such a
 * range in a condition lets Postgres read one partition instead of all.
 *
 * @param ids of generations or renders; without any, the range is empty.
 */
export function madeWith(ids: readonly string[]): IdRange {
  if (ids.length === 0) return { from: idAt(0), to: idAt(0) };
  const times = ids.map(timeOf);
  return { from: idAt(Math.min(...times) - dayMs), to: idAt(Math.max(...times) + dayMs) };
}
