import { RemoteDown, isOfServer } from "./classifier.ts";
import type { Post } from "./post.ts";

export interface CircuitBreakerOptions {
  /** Sends the requests. */
  readonly post: Post;
  /** Sends a harmless request, not through the circuit breaker. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>;
  /** Called when the circuit opens or closes, or the reason changes why requests fail. */
  readonly onChange?: (state: CircuitState) => void;
  /** The first pause after failures, in milliseconds; each failed probe doubles it. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

/** The state of the circuit of the remote model. */
export interface CircuitState {
  /** Whether requests fail at once, without being sent. */
  readonly isOpen: boolean;
  /** Why the last probe, or the request that opened the circuit, failed; null when requests succeed. */
  readonly problem: RemoteDown | null;
}

export interface CircuitBreaker {
  /** Sends a request, or fails at once while the circuit is open. */
  readonly post: Post;
  state(): CircuitState;
  /** Probes the remote model now, and again after each pause for as long as the circuit is open. */
  probe(): Promise<void>;
  /** Stops probing. */
  close(): void;
}

const failuresInRow = 3;
/** Bounds the `Retry-After` of a server whose clock is wrong. */
const longestRetryAfterMs = 600_000;

/**
 * Stops calling a remote model that is unavailable: three failures in a row, a `Retry-After` or a
 * configuration error open the circuit. A timer then probes the model with a harmless text, so that no
 * image waits for a timeout again, and the first successful probe closes the circuit.
 *
 * Only failures of the server count. A response that is malformed or rejects a text depends on that text,
 * and one client's text must not stop moderation for all.
 */
export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { post, onChange = () => undefined } = options;
  const { firstPauseMs = 5_000, longestPauseMs = 60_000 } = options;
  const closing = new AbortController();
  let failures = 0;
  let pauseMs = firstPauseMs;
  let problem: RemoteDown | null = null;
  /** When the next probe begins; null while the circuit is closed. */
  let openUntil: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  const state = (): CircuitState => ({ isOpen: openUntil !== null, problem });

  function open(error: RemoteDown): void {
    const waitMs = Math.min(error.retryAfterMs ?? pauseMs, longestRetryAfterMs);
    if (error.retryAfterMs === null) pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    problem = error;
    openUntil = performance.now() + waitMs;
    clearTimeout(timer);
    timer = setTimeout(() => void probe(), waitMs).unref();
    onChange(state());
  }

  function close(remaining: RemoteDown | null): void {
    failures = 0;
    pauseMs = firstPauseMs;
    if (openUntil === null && problem === remaining) return;
    openUntil = null;
    problem = remaining;
    onChange(state());
  }

  async function probe(): Promise<void> {
    try {
      await options.probe(closing.signal);
      close(null);
    } catch (error) {
      if (closing.signal.aborted) return;
      const down = error instanceof RemoteDown ? error : new RemoteDown("malformed", String(error));
      if (isOfServer(down)) open(down);
      // The server responds, but not to a harmless text: it is the wrong server or model.
      else close(down);
    }
  }

  return {
    async post(path, body, read, signal) {
      signal.throwIfAborted();
      if (openUntil !== null && problem !== null) {
        const { reason, message, status } = problem;
        throw new RemoteDown(reason, `not called: ${message}`, {
          status,
          retryAfterMs: Math.max(openUntil - performance.now(), 0),
        });
      }
      try {
        const result = await post(path, body, read, signal);
        // Only a probe closes an open circuit.
        if (openUntil === null) close(null);
        return result;
      } catch (error) {
        // Requests that were sent before the circuit opened do not prolong the pause.
        if (error instanceof RemoteDown && isOfServer(error) && openUntil === null) {
          failures += 1;
          const opensAtOnce = error.reason === "misconfigured" || error.retryAfterMs !== null;
          if (opensAtOnce || failures >= failuresInRow) open(error);
        }
        throw error;
      }
    },
    state,
    probe,
    close() {
      clearTimeout(timer);
      closing.abort();
    },
  };
}

/**
 * Whether a problem will last until the operator corrects a setting: the server refuses the key or the
 * address, or does not judge a harmless text.
 */
export function isMisconfigured({ problem }: CircuitState): boolean {
  return problem !== null && problem.reason !== "unavailable" && problem.reason !== "rate-limited";
}
