import type { RateLimit } from "@atelier/accounts";

/** A named rate limit. */
export interface Policy extends RateLimit {
  readonly policy: "generate" | "other" | "verify" | "webhook-test" | "webhook-retry";
}
