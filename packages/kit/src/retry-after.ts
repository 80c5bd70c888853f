/** Maximum delay in milliseconds, so that a server's wrong clock cannot stop calls for days. */
const longestMs = 3_600_000;

/**
 * Parses a `Retry-After` header: integer or decimal seconds, or an HTTP date (RFC 9110, 10.2.3).
 *
 * @returns milliseconds, at most one hour; null when the header is missing or malformed.
 */
export function parseRetryAfter(value: string | undefined, nowMs = Date.now()): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  if (Number.isNaN(waitMs)) return null;
  return Math.ceil(Math.min(Math.max(waitMs, 0), longestMs));
}
