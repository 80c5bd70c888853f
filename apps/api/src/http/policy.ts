import type { RateLimit } from "@atelier/accounts";

/** A named rate limit. */
export interface Policy extends RateLimit {
  readonly policy:
    | "generate"
    | "other"
    | "verify"
    | "view"
    | "view-link"
    | "webhook-test"
    | "webhook-retry";
}
