export interface CircuitOptions {
  /** Consecutive failures that open the circuit. */
  readonly failures: number;
  /** Initial cool-down in milliseconds; doubled after each failed trial. */
  readonly coolDownMs: number;
  readonly maxCoolDownMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** A circuit breaker: decides whether the store may be called. */
export interface Circuit {
  /** Time until an operation may be tried, in milliseconds; 0 if now. */
  openForMs(): number;
  succeeded(): void;
  failed(): void;
}

/**
 * Opens after consecutive failures, and again after each failed trial until one operation succeeds.
 */
export function createCircuit({
  failures,
  coolDownMs,
  maxCoolDownMs,
  now,
}: CircuitOptions): Circuit {
  let consecutiveFailures = 0;
  let openUntil = 0;
  return {
    openForMs: () => Math.max(0, openUntil - now()),
    succeeded() {
      consecutiveFailures = 0;
      openUntil = 0;
    },
    failed() {
      // Ignore operations that were in progress when the circuit opened.
      if (openUntil > now()) return;
      consecutiveFailures++;
      if (consecutiveFailures < failures) return;
      const rounds = consecutiveFailures - failures;
      openUntil = now() + Math.min(coolDownMs * 2 ** rounds, maxCoolDownMs);
    },
  };
}
