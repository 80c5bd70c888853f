let current = new AbortController();

/**
 * The signal of the session that is shown. Loops of requests take it when they begin, and stop once it is aborted:
 * their next request would be sent with the session of another account.
 */
export function sessionSignal(): AbortSignal {
  return current.signal;
}

/** Stops the loops of the session that was shown until now. */
export function abortSession(): void {
  current.abort();
  current = new AbortController();
}
