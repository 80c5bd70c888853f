/**
 * A signal that aborts on timeout or with another signal. Disposing it releases timer and listener.
 */
interface TimeLimit extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Limits the duration of an operation. `AbortSignal.timeout` would retain the signals that it is
 * combined with until its timeout, which is an hour for a story, even if the operation ends early.
 *
 * @param ms timeout in milliseconds, after which the signal aborts with a TimeoutError.
 * @param other signal whose abort reason is passed on.
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
