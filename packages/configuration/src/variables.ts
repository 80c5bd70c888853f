import * as z from "zod";

const secret = z.string({ error: "is required" }).min(32, "must have at least 32 characters");
/** Timers take no more than 2^31 ms, and would end at once instead; some wait a quarter longer. */
const maxSeconds = 1_700_000;
const seconds = z.coerce.number().positive().max(maxSeconds);
const secondsOrNone = z.coerce.number().nonnegative().max(maxSeconds);
const positive = z.coerce.number().int().positive();
const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" });
const httpBaseUrl = httpUrl.transform((url) => url.replace(/\/+$/, ""));

/** Building blocks, so that one kind of value is read in one way everywhere. */
export const variable = {
  secret,
  seconds,
  /** Zero as well. */
  secondsOrNone,
  positive,
  port: z.coerce.number().int().min(0).max(65_535),
  httpUrl,
  /** Without a slash at its end: paths are put behind it. */
  httpBaseUrl,
};

/** Which models there are, and the keys to them. */
export const modelVariables = {
  /** A catalogue of models of your own, merged over the built-in one. */
  CATALOGUE_FILE: z.string().optional(),
  /** Providers of your own, and settings of the known ones. */
  PROVIDERS_FILE: z.string().optional(),
  /** Keys of vendors: each switches its models on. */
  OPENAI_API_KEY: z.string().optional(),
  GEMINI_API_KEY: z.string().optional(),
  BFL_API_KEY: z.string().optional(),
  FAL_KEY: z.string().optional(),
  REPLICATE_API_TOKEN: z.string().optional(),
  STABILITY_API_KEY: z.string().optional(),
};

/** What every program of the service is told: where the data is. */
export const serviceVariables = {
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL" }),
  /** The queues; the same database when left out. */
  QUEUE_URL: z
    .url({ protocol: /^(postgres(ql)?|rediss?)$/, error: "must be a postgres:// or redis:// URL" })
    .optional(),
  STORAGE_URL: z
    .string({ error: "is required" })
    .regex(/^(file|s3):/, "must start with file: or s3:"),
  /** Where clients reach the API, without a slash at the end. */
  PUBLIC_URL: httpBaseUrl,
  /** Signs the URLs of stored files. */
  URL_SIGNING_SECRET: secret,
  /** Goes into the hashes of API keys and of refused prompts. */
  KEY_PEPPER: secret,
  ...modelVariables,
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace"]).default("info"),
};

/** What the programs that serve are told beside it: who may see how they do. */
export const telemetryVariables = {
  /** Opens `/metrics` of the admin ports, and nothing else. */
  METRICS_TOKEN: secret.optional(),
  /** Where spans are sent by OTLP over HTTP; no tracing when left out. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  /** Which part of the traces that begin here is recorded. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
};
