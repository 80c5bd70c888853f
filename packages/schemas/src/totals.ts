/** Totals of the service at one moment, for metrics. */
export interface ServiceTotals {
  /** Unfinished jobs, by status. */
  readonly jobs: readonly {
    readonly status: "pending" | "processing";
    readonly count: number;
    /** Seconds since the oldest of them was accepted; 0 if none exists. */
    readonly oldestSeconds: number;
  }[];
  /** Lanes with ready or running renders. */
  readonly lanes: readonly {
    readonly lane: string;
    /** Ready renders that no worker has claimed. */
    readonly waiting: number;
    readonly running: number;
    /** Seconds since the oldest of them became ready; 0 if none exists. */
    readonly oldestSeconds: number;
  }[];
  /** Lanes that are paused after failures of their provider. */
  readonly openCircuits: readonly string[];
  readonly heldMicroEur: bigint;
  readonly chargedMicroEur: bigint;
  /** Held amounts of all accounts minus the holds of all unfinished jobs; 0 in a consistent ledger. */
  readonly heldMismatchMicroEur: bigint;
  /** Unfinished jobs more than one minute past their deadline. */
  readonly overdueJobs: number;
  /** Deliveries to enabled webhooks that are not delivered yet. */
  readonly pendingDeliveries: number;
  /** Time of the last audit without a violation and of the last backup, in Unix seconds; before the first, that of the installation. */
  readonly lastAuditSeconds: number;
  readonly lastBackupSeconds: number;
  /** Violated invariants that the last audit found. */
  readonly auditViolations: number;
}
