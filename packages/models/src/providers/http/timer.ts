/** Runs a function after a timeout; the returned function cancels it. */
export type StartTimer = (timeoutMs: number, expire: () => void) => () => void;

/** Uses the system's timer. */
export function startRealTimer(timeoutMs: number, expire: () => void): () => void {
  const timer = setTimeout(expire, timeoutMs);
  return () => clearTimeout(timer);
}
