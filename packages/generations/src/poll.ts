/** Something that is read again and again until it is closed. */
export interface Poll {
  /** Ends the reading and waits for the one under way. */
  close(): Promise<void>;
}

/** Reads at once, and then `intervalMs` after each reading has ended. */
export function startPoll(
  read: () => Promise<void>,
  options: { readonly intervalMs: number; readonly onError: (error: unknown) => void },
): Poll {
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  function readAgainAndAgain(): Promise<void> {
    return read()
      .catch(options.onError)
      .finally(() => {
        if (closing.signal.aborted) return;
        timer = setTimeout(() => {
          reading = readAgainAndAgain();
        }, options.intervalMs);
      });
  }
  let reading = readAgainAndAgain();

  return {
    async close() {
      closing.abort();
      clearTimeout(timer);
      await reading;
    },
  };
}
