import { serviceVariables, telemetryVariables, variable } from "@atelier/configuration";
import { readyGuards } from "@atelier/moderation";
import * as z from "zod";

/** All environment variables of the worker. */
export const workerConfig = z.object({
  ...serviceVariables,
  ...telemetryVariables,
  /** Lanes that this process serves, separated by commas; all lanes when unset. */
  WORKER_LANES: z.string().optional(),
  /** Concurrent renders of this process, per lane. */
  WORKER_CONCURRENCY: variable.positive.default(4),
  /** Threads that encode and sign images; one per processor when unset. */
  WORKER_THREADS: variable.positive.optional(),
  /** Lock timeout: renders of a worker that is silent for this long go to other workers. */
  WORKER_LOCK_SECONDS: variable.seconds.default(10),
  /** Drain timeout on SIGTERM; calls that cannot be resumed are then cut off, and their renders returned to the queue. */
  WORKER_DRAIN_SECONDS: variable.secondsOrNone.default(320),
  /** Failed attempts after which a job fails. */
  MAX_TRIES: variable.positive.default(5),
  /** Timeout of one provider call; by the size of the image when unset (`timeoutOf`). */
  PROVIDER_TIMEOUT_SECONDS: variable.seconds.optional(),
  /** Exchange rate for the costs of vendors. The margin of their models is unknown without it. */
  EUR_PER_USD: variable.rate.optional(),
  /** Moderator of prompts: the rules alone, or the rules and a remote model. */
  MODERATION: z.enum(["rules", "openai", ...readyGuards, "guard", "webhook"]).default("rules"),
  /** JSON file that describes a guard model, or changes thresholds and labels. */
  MODERATION_SETTINGS_FILE: z.string().optional(),
  /** Base URL of the remote model, including the version; OpenAI's API when unset. */
  MODERATION_URL: variable.httpBaseUrl.optional(),
  /** API key of the remote model; OPENAI_API_KEY for OpenAI when unset. */
  MODERATION_API_KEY: z.string().optional(),
  MODERATION_MODEL: z.string().optional(),
  /** Signs the requests to a policy engine of the operator. */
  MODERATION_WEBHOOK_SECRET: variable.webhookSecret.optional(),
  /** Timeout of one moderation request. */
  MODERATION_TIMEOUT_SECONDS: variable.seconds.default(10),
  /** Behaviour while the remote model is down: generate nothing, or use the rules alone. */
  MODERATION_WHEN_DOWN: z.enum(["refuse", "allow"]).default("refuse"),
  /** Whether the remote model also judges generated images. */
  MODERATE_IMAGES: z.stringbool().default(false),
  /** Shortest interval at which rows are compared with the queue and deadlines are enforced. */
  RECOVERY_INTERVAL_SECONDS: variable.seconds.default(2),
  /** Time after which recovery queues an untouched render again. */
  RECOVERY_AFTER_SECONDS: variable.seconds.default(10),
  /** Retention of the requests and prompts of final jobs; unlimited when unset. */
  JOB_RETENTION_DAYS: z.coerce.number().positive().max(36_500).optional(),
  /** Retention of ended batches; that of the requests of their jobs when unset. */
  BATCH_RETENTION_DAYS: z.coerce.number().positive().max(36_500).optional(),
  /** Retention of invitations that nobody accepted and of disabled members. */
  MEMBER_RETENTION_DAYS: z.coerce.number().positive().max(36_500).default(90),
  /** Retention of the small picture and the manifests of each image. */
  PROVENANCE_RETENTION_DAYS: z.coerce.number().positive().max(36_500).default(3_650),
  /** Interval of the retention sweep; one worker of the fleet runs it. */
  SWEEP_INTERVAL_SECONDS: variable.seconds.default(300),
  /** Address of the probes and metrics; disabled when the port is unset. */
  WORKER_ADMIN_HOST: z.string().default("127.0.0.1"),
  WORKER_ADMIN_PORT: variable.port.optional(),
  /** The C2PA signing certificate and its issuers, in PEM. */
  SIGNING_CERTIFICATE_CHAIN: z.string({ error: "is required" }),
  /** Private key of the signing certificate, in PEM. */
  SIGNING_PRIVATE_KEY: z.string({ error: "is required" }),
  /** Root certificates that finished images are verified against, in PEM. */
  SIGNING_TRUST_ANCHORS: z.string({ error: "is required" }),
  /**
   * RFC 3161 time-stamp authorities over HTTP, separated by commas: the next is asked when one fails. No
   * time stamps when unset.
   */
  TIME_STAMP_URL: variable.httpUrls,
});

export type WorkerConfig = z.infer<typeof workerConfig>;
