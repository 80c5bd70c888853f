const firstDelayMs = 500;
const longestDelayMs = 30_000;

/**
 * How long to wait before the next try, in milliseconds: exponential with equal jitter, which is half
 * of the delay and up to half of it more by chance. It is never less than what the other side asked
 * for, with up to a tenth of that on top: what waits for each other must not come back together.
 *
 * @param tries how often it was tried so far, from 1.
 * @param retryAfterMs what the other side asked for (`Retry-After`), in milliseconds; 0 for nothing.
 * @param random from 0 to 1, the part of the jitter that is waited.
 */
export function backOffMs(tries: number, retryAfterMs = 0, random = Math.random()): number {
  const exponential = Math.min(firstDelayMs * 2 ** (tries - 1), longestDelayMs);
  return Math.round(Math.max(retryAfterMs * (1 + random / 10), exponential * (0.5 + random / 2)));
}
