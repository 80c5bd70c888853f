import * as z from "zod";
import { isRedisUrl, readRedisAddress } from "./redis-address.ts";

const secret = z.string({ error: "is required" }).min(32, "must have at least 32 characters");
/** Timers above 2^31 ms fire at once. Some durations are extended by a quarter. */
const maxSeconds = 1_700_000;
const seconds = z.coerce.number().positive().max(maxSeconds);
const secondsOrNone = z.coerce.number().nonnegative().max(maxSeconds);
const rate = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,6})?$/, "must be a decimal with at most 6 decimals, such as 0.92")
  .transform((text) => {
    const [whole = "0", fraction = ""] = text.split(".");
    return BigInt(whole + fraction.padEnd(6, "0"));
  })
  .refine((millionths) => millionths > 0n, "must be more than 0");
const positive = z.coerce.number().int().positive();
const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" });
const httpBaseUrl = httpUrl
  .refine((url) => !/[?#]/.test(url), "must have no query and no fragment")
  .transform((url) => new URL(url).href.replace(/(?<!\/)\/+$/, ""));

const list = z.string().transform((text) =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ""),
);
const softBindingName = z
  .string()
  .regex(
    /^(?!c2pa\.)[a-z0-9-]+(\.[a-z0-9-]+){2,}\.\d{1,4}$/,
    "must be a domain in reverse, a name and a version, such as com.example.atelier.1",
  )
  .max(150);
const network = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
    error: "must be a list of addresses or CIDR blocks, such as 10.0.0.0/8",
  })
  .refine((text) => !text.endsWith("/0"), "must not contain all addresses");
const networks = list.pipe(z.array(network)).default([]);

/** Each one is another lookup for an unknown key. */
const maxOldPeppers = 3;

const pair = z
  .string()
  .regex(/^[^\s=]+=[^\s=]+$/, "must be a list of pairs, such as dall-e-3=builtin-illustrator")
  .transform((text) => {
    const [name = "", value = ""] = text.split("=");
    return [name, value] as const;
  });

/** As browsers send it in `Origin`, also with the scheme of a desktop app; `*` stands for all. */
const origin = z
  .string()
  .regex(
    /^(\*|[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,]+)$/,
    "must be a list of origins without a path, such as https://app.example.com, or *",
  );

const hostAndPort = z
  .string()
  .regex(/^[^\s:/@]+:\d{1,5}$/, "must be a list of hosts with ports, such as hooks.internal:8080");

/** As in Standard Webhooks 1.0. */
const webhookSecret = z.string().refine((text) => {
  const [, base64 = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const { length } = Buffer.from(base64, "base64");
  return length >= 24 && length <= 64;
}, 'must be whsec_ and 24 to 64 bytes in base64: echo "whsec_$(openssl rand -base64 32)"');

/** Schemas for common kinds of variables. */
export const variable = {
  secret,
  secrets: list.pipe(z.array(secret)).default([]),
  webhookSecret,
  seconds,
  /** Including zero. */
  secondsOrNone,
  positive,
  /** A positive decimal, in millionths. */
  rate,
  port: z.coerce.number().int().min(0).max(65_535),
  httpUrl,
  /** Separated by commas. */
  httpUrls: list.pipe(z.array(httpUrl)).default([]),
  /** Without a trailing slash, since paths are appended. */
  httpBaseUrl,
  /** IP addresses and CIDR blocks, separated by commas. */
  networks,
  /** Origins of web pages, separated by commas. */
  origins: list.pipe(z.array(origin)).default([]),
  /** Names with values, as `name=value` and separated by commas. */
  pairs: list.pipe(z.array(pair)).default([]),
};

/** Models, providers and their keys. */
export const modelVariables = {
  /** File with additional models, merged over the built-in catalogue. */
  CATALOGUE_FILE: z.string().optional(),
  /** File with additional providers and settings of the known ones. */
  PROVIDERS_FILE: z.string().optional(),
  /** Vendor keys; each enables the models of its vendor. */
  OPENAI_API_KEY: z.string().optional(),
  GEMINI_API_KEY: z.string().optional(),
  BFL_API_KEY: z.string().optional(),
  FAL_KEY: z.string().optional(),
  REPLICATE_API_TOKEN: z.string().optional(),
  STABILITY_API_KEY: z.string().optional(),
  RECRAFT_API_KEY: z.string().optional(),
  OPENROUTER_API_KEY: z.string().optional(),
  ARK_API_KEY: z.string().optional(),
  IDEOGRAM_API_KEY: z.string().optional(),
  DASHSCOPE_API_KEY: z.string().optional(),
  XAI_API_KEY: z.string().optional(),
};

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL" });

const queueUrl = z.string().superRefine((url, context) => {
  const problem = problemOfQueueUrl(url);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

function problemOfQueueUrl(url: string): string | null {
  if (!isRedisUrl(url)) {
    return postgresUrl.safeParse(url).success ? null : "must be a postgres:// or redis:// URL";
  }
  try {
    readRedisAddress(url);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Data stores, for every program of the service. */
export const serviceVariables = {
  DATABASE_URL: postgresUrl,
  /**
   * The same database without a pooler: set it when DATABASE_URL is a pooler in transaction mode.
   * Migrations, LISTEN and queues in Postgres use it.
   */
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  /** Store of the queues; by default the same database. */
  QUEUE_URL: queueUrl.optional(),
  STORAGE_URL: z
    .string({ error: "is required" })
    .regex(/^(file|s3):/, "must start with file: or s3:"),
  /** Base URL of the API for clients, without a trailing slash. */
  PUBLIC_URL: httpBaseUrl,
  /** Receivers of webhooks that may have private addresses and plain HTTP, as `host:port`. */
  WEBHOOK_PRIVATE_HOSTS: list.pipe(z.array(hostAndPort)).default([]),
  /** Signs the URLs of stored files. */
  URL_SIGNING_SECRET: secret,
  /** Lifetime of signed URLs: at most a week, the limit of S3. */
  URL_LIFE_SECONDS: positive.max(604_800).default(3_600),
  /** Secret in the hashes of API keys and of refused prompts, and of the keys that encrypt webhook secrets and sessions. */
  KEY_PEPPER: secret,
  /** Other accepted values of it, separated by commas: keys are moved to KEY_PEPPER when they are used. */
  OLD_KEY_PEPPERS: list.pipe(z.array(secret).max(maxOldPeppers)).default([]),
  /** Key of the watermarks; images are not watermarked without it. */
  WATERMARK_SECRET: secret.optional(),
  /** Earlier values of it, separated by commas: their watermarks are still found. */
  WATERMARK_OLD_SECRETS: list.pipe(z.array(secret)).default([]),
  /**
   * Name of the watermark's algorithm in manifests: a domain of the operator in reverse, a name and a
   * version. Default: a name that no other service knows.
   */
  SOFT_BINDING_ALGORITHM: softBindingName.optional(),
  /** Earlier values of it, separated by commas: bindings with these names are still resolved. */
  OLD_SOFT_BINDING_ALGORITHMS: list.pipe(z.array(softBindingName).max(20)).default([]),
  /** Page on which anyone can verify images: named in files and labels. Default: that of PUBLIC_URL. */
  VERIFY_URL: httpUrl.optional(),
  /** Maximum retention of the images of a final job, in hours; accounts may choose less. */
  RETENTION_HOURS: z.coerce.number().positive().max(1_000_000).default(24),
  /** Size of the images of one account that are kept until they are deleted; 0 for none. */
  KEEP_QUOTA_MB: z.coerce.number().int().min(0).max(100_000_000).default(1_000),
  ...modelVariables,
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace"]).default("info"),
};

/**
 * The store of the queues: QUEUE_URL, or the database. Never through a pooler in transaction mode:
 * BullMQ sets the search path of its connections by a startup parameter, and listens.
 */
export function queueUrlOf(config: {
  readonly QUEUE_URL?: string | undefined;
  readonly DATABASE_DIRECT_URL?: string | undefined;
  readonly DATABASE_URL: string;
}): string {
  return config.QUEUE_URL ?? config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
}

/** Certificates whose manifests `POST /verify` and `atelier verify` report as made here. */
export const signerVariables = {
  /** Those of the workers, the signing certificate first, in PEM. */
  SIGNING_CERTIFICATE_CHAIN: z.string().optional(),
  /** Earlier signing certificates, in PEM. */
  OLD_SIGNING_CERTIFICATES: z.string().optional(),
};

/** The signing certificates of the installation with their chains, in PEM; empty without any. */
export function ownCertificates(config: {
  readonly SIGNING_CERTIFICATE_CHAIN?: string | undefined;
  readonly OLD_SIGNING_CERTIFICATES?: string | undefined;
}): string {
  const { SIGNING_CERTIFICATE_CHAIN: current = "", OLD_SIGNING_CERTIFICATES: old = "" } = config;
  return `${current}\n${old}`;
}

/** Observability settings of the serving programs. */
export const telemetryVariables = {
  /** Token for `/metrics` on the admin ports only. */
  METRICS_TOKEN: secret.optional(),
  /** OTLP endpoint (HTTP) for spans; tracing is off when unset. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  /** Sampling ratio of new traces. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
};

/** Page on which anyone can verify images. */
export function verifyUrl(config: {
  readonly VERIFY_URL?: string | undefined;
  readonly PUBLIC_URL: string;
}): string {
  return config.VERIFY_URL ?? `${config.PUBLIC_URL}/verify`;
}

/** The accepted peppers, the current one first. */
export function keyPeppers(config: {
  readonly KEY_PEPPER: string;
  readonly OLD_KEY_PEPPERS: readonly string[];
}): readonly [string, ...string[]] {
  return [config.KEY_PEPPER, ...config.OLD_KEY_PEPPERS];
}

/** The secrets of the watermark, the current one first. */
export function watermarkSecrets(config: {
  readonly WATERMARK_SECRET?: string | undefined;
  readonly WATERMARK_OLD_SECRETS: readonly string[];
}): string[] {
  const { WATERMARK_SECRET: current, WATERMARK_OLD_SECRETS: old } = config;
  return current === undefined ? [] : [current, ...old];
}
