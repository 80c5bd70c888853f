/** A signal that is aborted when a time is over, or another signal is; disposed of, it is let go. */
export interface TimeLimit extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Limits the time of some work. `AbortSignal.timeout` would keep the signals that it is combined with
 * until its time is over, which is an hour for a story, however early the work ends.
 *
 * @param ms after which it is aborted with a TimeoutError.
 * @param other the signal whose abortion is passed on, with its reason.
 */
export function limitTime(ms: number, other: AbortSignal): TimeLimit {
  const controller = new AbortController();
  const onTimeout = () => {
    controller.abort(new DOMException("The time is over.", "TimeoutError"));
  };
  const onAbort = () => controller.abort(other.reason);
  const timer = setTimeout(onTimeout, ms);
  if (other.aborted) onAbort();
  else other.addEventListener("abort", onAbort);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      other.removeEventListener("abort", onAbort);
    },
  };
}
