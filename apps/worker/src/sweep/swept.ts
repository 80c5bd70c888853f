import type { FailedDeletion } from "@atelier/storage";

/** Result of one part of a sweep. */
export interface Swept {
  /** Number of deleted files. */
  readonly removed: number;
  /** Files that could not be deleted; the next sweep retries them. */
  readonly failed: readonly FailedDeletion[];
}

export const emptySweep: Swept = { removed: 0, failed: [] };
