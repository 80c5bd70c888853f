import { serviceVariables, telemetryVariables, variable } from "@atelier/configuration";
import * as z from "zod";

/** Everything that the worker reads from its environment. */
export const workerConfig = z.object({
  ...serviceVariables,
  ...telemetryVariables,
  /** Lanes that this process serves, separated by commas; all when left out. */
  WORKER_LANES: z.string().optional(),
  /** Renders that this process works on at the same time, in each lane. */
  WORKER_CONCURRENCY: variable.positive.default(4),
  /** Threads that encode and sign images; as many as processors when left out. */
  WORKER_THREADS: variable.positive.optional(),
  /** A worker that was silent for that long has its renders given to others. */
  WORKER_LOCK_SECONDS: variable.seconds.default(10),
  /** Told to stop, how long it works on before it hands back what is not finished. */
  WORKER_DRAIN_SECONDS: variable.secondsOrNone.default(30),
  /** How often a render may be taken up in vain before its job fails. */
  MAX_TRIES: variable.positive.default(5),
  /** The longest that one call to a provider may take. */
  PROVIDER_TIMEOUT_SECONDS: variable.seconds.default(120),
  /** Who judges prompts: the rules alone, or a model elsewhere as well. */
  MODERATION: z.enum(["rules", "openai", "llama-guard", "shieldgemma"]).default("rules"),
  /** Where that model is, with the version; OpenAI's own when left out. */
  MODERATION_URL: variable.httpBaseUrl.optional(),
  /** Its key; OPENAI_API_KEY for OpenAI's own when left out. */
  MODERATION_API_KEY: z.string().optional(),
  MODERATION_MODEL: z.string().optional(),
  /** The longest that one judgement may take. */
  MODERATION_TIMEOUT_SECONDS: variable.seconds.default(10),
  /** What happens while it does not answer: nothing is made, or the rules decide alone. */
  MODERATION_WHEN_DOWN: z.enum(["refuse", "allow"]).default("refuse"),
  /** Whether it judges the images that were made as well. */
  MODERATE_IMAGES: z.stringbool().default(false),
  /** How often rows are compared with the queue, and deadlines enforced. */
  RECOVERY_INTERVAL_SECONDS: variable.seconds.default(2),
  /** How long a render that should be in the queue is taken to be there. */
  RECOVERY_AFTER_SECONDS: variable.seconds.default(10),
  /** How long the images of a job are kept once it is final. */
  RETENTION_HOURS: z.coerce.number().positive().max(1_000_000).default(24),
  /** How often one worker of the fleet removes what is kept too long. */
  SWEEP_INTERVAL_SECONDS: variable.seconds.default(300),
  /** Probes and metrics of this process; closed without a port. */
  WORKER_ADMIN_HOST: z.string().default("127.0.0.1"),
  WORKER_ADMIN_PORT: variable.port.optional(),
  /** The C2PA signing certificate and those above it, in PEM. */
  SIGNING_CERTIFICATE_CHAIN: z.string({ error: "is required" }),
  /** Its private key, in PEM. */
  SIGNING_PRIVATE_KEY: z.string({ error: "is required" }),
  /** The roots that finished images are verified against, in PEM. */
  SIGNING_TRUST_ANCHORS: z.string({ error: "is required" }),
  /** The authority that stamps each signature with the time (RFC 3161 over HTTP); none without it. */
  TIME_STAMP_URL: variable.httpUrl.optional(),
});

export type WorkerConfig = z.infer<typeof workerConfig>;
