import type { Storage } from "@atelier/storage";
import type { Database } from "@atelier/database";
import type { Logger, WorkerMetrics } from "@atelier/telemetry";

export interface SweepDependencies {
  readonly database: Database;
  readonly storage: Storage;
  readonly metrics: WorkerMetrics;
  readonly logger: Logger;
  /** Clock for the age of files, in milliseconds since 1970. */
  readonly now: () => number;
}
