import type { ProviderOutcome } from "../../provider.ts";

/** Every way a call can end that gives no image. */
export type Failure = Exclude<ProviderOutcome, { kind: "image" }>;

/** Ends a call wherever it is: the adapter's frame makes it the call's outcome. */
export class CallEnded extends Error {
  override readonly name = "CallEnded";
  readonly outcome: Failure;

  constructor(outcome: Failure) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

/** Nothing was made; a later call may succeed. */
export function unavailable(message: string, retryAfterMs: number | null = null): CallEnded {
  return new CallEnded({ kind: "unavailable", message, retryAfterMs });
}

/** The call may or may not have been carried out and paid for. */
export function unknown(message: string): CallEnded {
  return new CallEnded({ kind: "unknown", message });
}

/** The provider does not take this request, whoever repeats it. */
export function invalidRequest(message: string): CallEnded {
  return new CallEnded({ kind: "invalid-request", message });
}

/** It was made and is paid for, in another size than was asked for, as a repeated call would be. */
export function wrongSize(message: string): CallEnded {
  return new CallEnded({ kind: "wrong-size", message });
}

/** The operator's account with the provider is out of credit. */
export function outOfQuota(message: string): CallEnded {
  return new CallEnded({ kind: "out-of-quota", message });
}

/** The provider asks to wait: `retryAfterMs` long, or for a time that it does not say. */
export function rateLimited(retryAfterMs: number | null): CallEnded {
  return new CallEnded({ kind: "rate-limited", retryAfterMs });
}

/** The provider's own policy said no: to the prompt and references, or to the image it made of them. */
export function refused(
  stage: "request" | "image" | null,
  categories: readonly string[],
): CallEnded {
  return new CallEnded({ kind: "refused", stage, categories });
}
