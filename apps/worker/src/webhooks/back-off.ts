const firstMs = 5_000;
const longestMs = 3_600_000;

/**
 * Exponential backoff of a webhook delivery, or of a file that cannot be copied, in milliseconds: 5 s after the
 * first failure, doubled with each further one up to an hour, minus up to 20 % jitter. This makes about 30
 * attempts in 24 hours.
 *
 * @param failures consecutive failed attempts, at least 1.
 */
export function backOff(failures: number, random: () => number = Math.random): number {
  const delayMs = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return Math.round(delayMs * (1 - random() / 5));
}
