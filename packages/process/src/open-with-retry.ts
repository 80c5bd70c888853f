import { setTimeout as delay } from "node:timers/promises";
import { isTransient } from "@atelier/database";

const firstDelayMs = 500;
const longestDelayMs = 10_000;

/**
 * Opens a dependency such as the queue or the storage. Retries transient errors with a backoff from 0.5 s
 * to 10 s and without a limit, so that a program started during an outage begins work when it is over.
 *
 * @param onRetry called with the error of a failed attempt and the delay before the next one.
 * @throws permanent errors of the dependency, such as for a wrong password.
 */
export async function openWithRetry<Part>(
  open: () => Promise<Part>,
  onRetry: (error: unknown, delayMs: number) => void,
): Promise<Part> {
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(2 * delayMs, longestDelayMs)) {
    try {
      return await open();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      onRetry(error, delayMs);
      await delay(delayMs);
    }
  }
}

/** Error codes of an S3 store that is temporarily unavailable, and of aborted requests. */
const unavailableCodes: ReadonlySet<unknown> = new Set([
  "SlowDown",
  "ServiceUnavailable",
  "InternalError",
  "UnknownError",
]);

const redisUnavailable =
  /^LOADING|Command timed out|Connection is closed|socket hang up|All sentinels are unreachable/;

/** Whether a dependency could not be reached, and may be reachable later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, name, message, cause } = error as NodeJS.ErrnoException;
  if (isTransient(error) || unavailableCodes.has(code)) return true;
  if (name === "AbortError" || name === "TimeoutError") return true;
  // Redis errors have no codes: while it loads its data, on timeouts and on lost connections, and when
  // no sentinel responds.
  if (redisUnavailable.test(message)) return true;
  // A storage error has the store's error as its cause.
  return cause !== undefined && isUnavailable(cause);
}
