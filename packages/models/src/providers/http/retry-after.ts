/** What is believed of a provider at most: a broken clock must not stop a lane for days. */
const longestMs = 3_600_000;

/**
 * Milliseconds to wait by a `Retry-After` header: whole or decimal seconds, or an HTTP date
 * (RFC 9110, 10.2.3), at most an hour. Null when there is none that can be read.
 */
export function parseRetryAfter(value: string | undefined, nowMs = Date.now()): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  if (Number.isNaN(waitMs)) return null;
  return Math.ceil(Math.min(Math.max(waitMs, 0), longestMs));
}
