import type { Claim } from "@atelier/generations/claims";
import { AppError } from "@atelier/schemas";

/**
 * Ends a render whose attempts have all failed or died. Without this check, a render that kills its
 * worker would be retried forever.
 *
 * @throws AppError `internal_error` for a claim beyond `maxTries`.
 */
export function assertTriesLeft({ tries }: Claim, maxTries: number): void {
  if (tries <= maxTries) return;
  throw new AppError(
    "internal_error",
    `The image could not be made in ${maxTries} tries. Nothing was charged; please try again.`,
    { details: { tries: maxTries } },
  );
}
