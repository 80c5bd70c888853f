/** When a stopping worker ends its attempts. */
export interface Leaving {
  /** Aborted when the worker begins to stop: only what would be lost or paid for again is finished. */
  readonly stopping: AbortSignal;
  /** Aborted when the worker has no time left. */
  readonly timeUp: AbortSignal;
}

/** The end of one attempt of a stopping worker. Disposing it removes its listeners. */
export interface Leave extends Disposable {
  /** Aborted when the attempt must end: its render is returned to the queue. */
  readonly signal: AbortSignal;
  /** Lets the attempt end as soon as the worker begins to stop: another one continues it at no cost. */
  allow(): void;
  /** Keeps the attempt until the worker has no time left. */
  forbid(): void;
}

/** Creates the end of an attempt, which may end as soon as the worker begins to stop until that is forbidden. */
export function createLeave({ stopping, timeUp }: Leaving): Leave {
  const controller = new AbortController();
  const leave = () => controller.abort(new Error("the worker stops"));
  const allow = () => {
    if (stopping.aborted) leave();
    else stopping.addEventListener("abort", leave);
  };
  const forbid = () => stopping.removeEventListener("abort", leave);
  allow();
  if (timeUp.aborted) leave();
  else timeUp.addEventListener("abort", leave);
  return {
    signal: controller.signal,
    allow,
    forbid,
    [Symbol.dispose]() {
      forbid();
      timeUp.removeEventListener("abort", leave);
    },
  };
}
