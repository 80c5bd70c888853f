/** How much work there is and what was earned, at one moment. */
export interface ServiceTotals {
  /** Jobs that are not final; one row for each of the two states. */
  readonly jobs: readonly {
    readonly status: "pending" | "processing";
    readonly count: number;
    /** Since the oldest of them was accepted; 0 without any. */
    readonly oldestSeconds: number;
  }[];
  /** Only lanes that have renders ready or running. */
  readonly lanes: readonly {
    readonly lane: string;
    /** Renders that are ready and that no worker has. */
    readonly waiting: number;
    readonly running: number;
    /** Since the one that waits longest became ready; 0 without any. */
    readonly oldestSeconds: number;
  }[];
  /** Lanes whose provider is left alone because it failed too often. */
  readonly openCircuits: readonly string[];
  readonly heldMicroEur: bigint;
  readonly chargedMicroEur: bigint;
  /** What accounts have held beyond, or short of, the holds of all jobs that are not final; 0 unless books are wrong. */
  readonly heldMismatchMicroEur: bigint;
  /** Jobs that should have been final for a minute, and are not. */
  readonly overdueJobs: number;
}
