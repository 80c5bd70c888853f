/** First and longest pause between two attempts where the service names none. */
const firstPauseMs = 500;
const longestPauseMs = 8_000;

/** Who is told to come back later than this is not kept waiting, but told. */
export const longestRetryAfterMs = 60_000;

/**
 * How long to wait before the next attempt, in milliseconds: what the service asked for and a little
 * more, so that not all clients come back at once; else exponential with full jitter, capped.
 *
 * @param retries how many attempts were repeats already.
 * @param random from 0 to 1.
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
 * Reads a `Retry-After` header (RFC 9110, section 10.2.3): seconds, or a date.
 *
 * @returns milliseconds from now, never negative; null when there is none or it is neither.
 */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
