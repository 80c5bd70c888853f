const firstDelayMs = 500;
const longestDelayMs = 30_000;

/**
 * Computes the delay before the next attempt, in milliseconds: exponential backoff with equal jitter,
 * that is half of the delay plus a random part of the other half. A Retry-After is a lower bound,
 * with up to 10 % added so that clients do not retry at the same moment.
 *
 * @param tries number of attempts so far, from 1.
 * @param retryAfterMs the Retry-After of the provider, in milliseconds; 0 without one.
 * @param random from 0 to 1, the part of the jitter that is used.
 */
export function backOffMs(tries: number, retryAfterMs = 0, random = Math.random()): number {
  const exponential = Math.min(firstDelayMs * 2 ** (tries - 1), longestDelayMs);
  return Math.round(Math.max(retryAfterMs * (1 + random / 10), exponential * (0.5 + random / 2)));
}
