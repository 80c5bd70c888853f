import type { Database } from "@atelier/database";
import type { Acceptor } from "@atelier/generations/accept";
import type { LaneHealth, LaneLoad } from "@atelier/generations/claims";
import type { Catalogue } from "@atelier/models";
import type { Inspector } from "@atelier/provenance";
import type { Storage } from "@atelier/storage";
import type { ApiMetrics, Logger } from "@atelier/telemetry";
import type { Assistant } from "./assist/assistant.ts";
import type { ApiConfig } from "./config.ts";
import type { EventStreams } from "./events/event-streams.ts";
import type { Progress } from "./events/progress.ts";
import type { Failpoint } from "./failpoint.ts";
import type { WaitEstimates } from "./generations/answer/wait-estimates.ts";
import type { Waiters } from "./generations/answer/waiters.ts";
import type { ApiOperations } from "./generations/plan/operations.ts";
import type { AccountGate } from "./http/limits/account-gate.ts";
import type { Admissions } from "./http/limits/admission.ts";
import type { FailedAuthentications } from "./http/limits/failed-authentications.ts";
import type { ApiQueues } from "./late-queues.ts";
import type { RulePool } from "./moderation/rule-pool.ts";
import type { ModelAliases } from "./openai/model-aliases.ts";
import type { Parts } from "./parts.ts";

/** Everything that handling a request needs. */
export interface ApiDependencies {
  readonly config: ApiConfig;
  readonly database: Database;
  readonly admissions: Admissions;
  readonly failedAuthentications: FailedAuthentications;
  readonly acceptor: Acceptor;
  /** For statements that wait for the row of an account: limits how many connections one account uses. */
  readonly accountGate: AccountGate;
  /** Serialises the requests of an account that read large amounts of data. */
  readonly accountMutex: AccountGate;
  /** Limits each account to one export at a time. */
  readonly exportMutex: AccountGate;
  readonly queues: ApiQueues;
  readonly storage: Storage;
  readonly catalogue: Catalogue;
  readonly operations: ApiOperations;
  readonly modelAliases: ModelAliases;
  /** Names of all lanes. */
  readonly lanes: readonly string[];
  readonly laneHealth: LaneHealth;
  readonly laneLoad: LaneLoad;
  /** Sets what is called when a batch may have a turn that this process does not know of. */
  whenBatchDue(wake: () => void): void;
  readonly waits: WaitEstimates;
  readonly waiters: Waiters;
  readonly progress: Progress;
  readonly eventStreams: EventStreams;
  /** Inspects the untrusted images of `POST /verify`. */
  readonly inspector: Inspector;
  /** Judges the texts of requests before they are accepted. */
  readonly rules: RulePool;
  /** Writes prompts and stories; null without `ASSISTANT_URL`. */
  readonly assistant: Assistant | null;
  readonly parts: Parts;
  /** Folder of the built pages of Studio. */
  readonly studioPages: string;
  readonly logger: Logger;
  readonly metrics: ApiMetrics;
  /** Whether requests record trace spans. */
  readonly traced: boolean;
  readonly failpoint: Failpoint;
}

/** The part of the dependencies that a function names. */
export type Needs<Name extends keyof ApiDependencies> = Pick<ApiDependencies, Name>;
