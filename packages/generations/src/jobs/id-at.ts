/** Smaller than each id. */
export const firstId = "00000000-0000-0000-0000-000000000000";

/** Larger than each id. */
export const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The smallest UUIDv7 of a time (RFC 9562, section 5.7), in milliseconds since 1970. */
export function idAt(time: number): string {
  const hex = Math.min(Math.max(time, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
