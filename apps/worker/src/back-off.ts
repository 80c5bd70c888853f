const firstDelayMs = 500;
const longestDelayMs = 30_000;

/**
 * How long to wait before the next try: exponential with full jitter between half and all of it,
 * and never less than what the other side asked for (`Retry-After`), with a tenth of that as jitter: what
 * waits for each other must not come back together.
 *
 * @param tries how often it was tried so far, from 1.
 */
export function backOffMs(tries: number, retryAfterMs = 0, random = Math.random()): number {
  const exponential = Math.min(firstDelayMs * 2 ** (tries - 1), longestDelayMs);
  return Math.round(Math.max(retryAfterMs * (1 + random / 10), exponential * (0.5 + random / 2)));
}
