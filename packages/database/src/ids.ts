import { v7 } from "uuid";

/**
 * A new UUIDv7 (RFC 9562): sorts by the time it was made.
 *
 * @param madeAt that time, in milliseconds since 1970. Default: now.
 */
export function newId(madeAt?: number): string {
  return madeAt === undefined ? v7() : v7({ msecs: madeAt });
}
