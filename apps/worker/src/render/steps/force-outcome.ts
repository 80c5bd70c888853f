import type { Claim } from "@atelier/generations/claims";
import { AppError } from "@atelier/schemas";
import { TryFailed } from "../failures.ts";

/**
 * Forces the outcome that the prompt of a test job names: the image is made later, by a later claim, or
 * fails as when a provider refuses the request.
 *
 * @throws TryFailed for the outcome.
 */
export function forceOutcome({ attempt, spec: { forced } }: Pick<Claim, "attempt" | "spec">): void {
  if (forced?.kind === "fail") {
    throw new TryFailed(
      new AppError(
        "provider_error",
        "The prompt of this test forces the image to fail. Nothing was charged.",
        { details: { forced_by: "test:fail" } },
      ),
      null,
    );
  }
  if (forced?.kind === "late" && attempt === 1) {
    const message = "The prompt of this test delays its image.";
    const { delayMs: retryAfterMs } = forced;
    const later = new AppError("provider_error", message, { retryable: true, retryAfterMs });
    throw new TryFailed(later, null, { isUncounted: true });
  }
}
