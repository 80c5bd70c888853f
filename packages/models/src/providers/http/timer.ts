/** Runs a function after a time; what it gives back takes that back. */
export type StartTimer = (timeoutMs: number, expire: () => void) => () => void;

/** The timer of the system. */
export function startRealTimer(timeoutMs: number, expire: () => void): () => void {
  const timer = setTimeout(expire, timeoutMs);
  return () => clearTimeout(timer);
}
