/**
 * Waits for work that cannot be cancelled, until a signal aborts. The work goes on, and its result or
 * error is ignored.
 *
 * @throws the signal's reason when it aborts first, or was aborted before.
 */
export function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", onAbort));
}
