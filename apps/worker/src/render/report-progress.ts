import type { Database } from "@atelier/database";
import { announceProgress, type Claim } from "@atelier/generations/claims";
import type { CallProgress } from "@atelier/models";

/** The least time between two notifications of a render, in milliseconds. */
const gapMs = 500;

/**
 * Creates the function that tells the API processes how far a render is, at most twice a second. Engines
 * report progress, and each of them makes one image at a time, so that their number bounds the cost.
 */
export function createProgressReport(
  claim: Pick<Claim, "accountId" | "generationId" | "position">,
  database: Pick<Database, "notify">,
  now: () => number = () => performance.now(),
): (progress: CallProgress) => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  return ({ progress, step, of }) => {
    if (now() - lastAt < gapMs) return;
    lastAt = now();
    const limited = Math.min(Math.max(progress, 0), 1);
    announceProgress(database, claim, { render: claim.position, progress: limited, step, of });
  };
}
