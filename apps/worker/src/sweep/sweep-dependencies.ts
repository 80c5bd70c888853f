import type { Storage } from "@atelier/storage";
import type { Database } from "@atelier/database";
import type { Logger, WorkerMetrics } from "@atelier/telemetry";
import type { RedactionProgress } from "./sweep-jobs.ts";

export interface SweepDependencies {
  readonly database: Database;
  readonly storage: Storage;
  readonly metrics: WorkerMetrics;
  readonly logger: Logger;
  /** The progress of redaction over the sweeps of this process. Default: none. */
  readonly redaction?: RedactionProgress;
  /** Clock for the age of files, in milliseconds since 1970. */
  readonly now: () => number;
}
