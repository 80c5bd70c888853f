/** First and maximum backoff without `Retry-After`. */
const firstPauseMs = 500;
const longestPauseMs = 8_000;

/** A longer `Retry-After` fails the call instead of delaying it. */
export const longestRetryAfterMs = 60_000;

/**
 * Computes the delay before the next attempt in milliseconds: `Retry-After` plus up to 10 % jitter, or
 * capped exponential backoff with full jitter.
 *
 * @param retries the number of previous retries.
 * @param random a random number from 0 to 1.
 */
export function pauseBeforeRetryMs(
  retries: number,
  retryAfterMs: number | null,
  random: number,
): number {
  if (retryAfterMs !== null) return retryAfterMs + random * Math.min(1_000, retryAfterMs * 0.1);
  return random * Math.min(longestPauseMs, firstPauseMs * 2 ** retries);
}

/**
 * Parses a `Retry-After` header (RFC 9110, section 10.2.3): seconds or a date.
 *
 * @returns milliseconds from now, at least 0; null for a missing or invalid header.
 */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
