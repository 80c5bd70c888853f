import type { ProviderOutcome } from "../../provider.ts";

/** All outcomes without an image. */
type Failure = Exclude<ProviderOutcome, { kind: "image" }>;

/** Ends a call from any depth; `createAdapter` converts it to the call's outcome. */
export class CallEnded extends Error {
  override readonly name = "CallEnded";
  readonly outcome: Failure;
  /** Whether the provider's host or the network refused the connection: nothing listens there. */
  readonly isRefused: boolean;

  constructor(outcome: Failure, { isRefused = false }: { readonly isRefused?: boolean } = {}) {
    super(outcome.kind);
    this.outcome = outcome;
    this.isRefused = isRefused;
  }
}

/** No image was generated; a later call may succeed. */
export function unavailable(message: string, retryAfterMs: number | null = null): CallEnded {
  return new CallEnded({ kind: "unavailable", message, retryAfterMs });
}

/** The call may have been carried out and charged. */
export function unknown(message: string): CallEnded {
  return new CallEnded({ kind: "unknown", message });
}

/** This side stopped waiting for an image that may have been made and charged. */
export function timedOut(message: string): CallEnded {
  return new CallEnded({ kind: "timed-out", message });
}

/** The provider rejects this request; repeating it cannot succeed. */
export function invalidRequest(message: string): CallEnded {
  return new CallEnded({ kind: "invalid-request", message });
}

/**
 * The image was generated and charged, but in a different size; a repeated call would return the
 * same size.
 */
export function wrongSize(message: string): CallEnded {
  return new CallEnded({ kind: "wrong-size", message });
}

/** The operator's account with the provider is out of credit. */
export function outOfQuota(message: string): CallEnded {
  return new CallEnded({ kind: "out-of-quota", message });
}

/** The provider requests a delay of `retryAfterMs` milliseconds; null if it gives no duration. */
export function rateLimited(retryAfterMs: number | null): CallEnded {
  return new CallEnded({ kind: "rate-limited", retryAfterMs });
}

/** The provider's policy refused the prompt and references, or the generated image. */
export function refused(
  stage: "request" | "image" | null,
  categories: readonly string[],
): CallEnded {
  return new CallEnded({ kind: "refused", stage, categories });
}
