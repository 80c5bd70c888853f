/** Runs work that several callers in this process need at the same time once. */
export interface SharedWork<Result> {
  /**
   * Returns the result of the work under way for a key, or runs `work`.
   *
   * @param signal of this caller. When another caller's work is aborted, this one runs its own.
   */
  run(key: string, work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

/** Creates shared work with nothing under way. */
export function createSharedWork<Result>(): SharedWork<Result> {
  const running = new Map<
    string,
    { readonly result: Promise<Result>; readonly signal: AbortSignal }
  >();
  return {
    async run(key, work, signal) {
      for (;;) {
        const other = running.get(key);
        if (other === undefined) break;
        try {
          return await other.result;
        } catch (error) {
          if (!other.signal.aborted || signal.aborted) throw error;
        }
      }
      const result = work();
      running.set(key, { result, signal });
      try {
        return await result;
      } finally {
        running.delete(key);
      }
    },
  };
}
