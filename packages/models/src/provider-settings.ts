import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { catalogueEntry, type CatalogueEntry } from "./catalogue-entry.ts";

/** Vendors, each switched on by its key: the variable that holds it. */
export const vendorKeys = {
  openai: "OPENAI_API_KEY",
  gemini: "GEMINI_API_KEY",
  bfl: "BFL_API_KEY",
  fal: "FAL_KEY",
  replicate: "REPLICATE_API_TOKEN",
  stability: "STABILITY_API_KEY",
} as const;

/** Servers of the operator's own, each switched on by an entry with its address. */
const ownServers = ["openai-compatible", "sdcpp", "comfyui", "automatic1111"] as const;

type Vendor = keyof typeof vendorKeys;
type VendorKey = (typeof vendorKeys)[Vendor];

/**
 * Whose protocol is spoken. `builtin` needs nothing; the adapter of a `custom` one is given to the
 * worker in code.
 */
export type ProviderKind = Vendor | (typeof ownServers)[number] | "builtin" | "custom";

const vendors = Object.keys(vendorKeys) as Vendor[];

/** A provider that can be used, with everything that its adapter and its lane have to know. */
export interface ProviderSettings {
  /** Also the name of its lane. */
  readonly name: string;
  readonly kind: ProviderKind;
  readonly apiKey: string | null;
  /** Null: the vendor's own. */
  readonly baseUrl: string | null;
  /** What OpenAI takes pains for, and asks money for; null: what its adapter does. */
  readonly quality: "low" | "medium" | "high" | null;
  /** How a server that speaks OpenAI's API is sent references; null: as OpenAI is. */
  readonly references: "edits" | "ref_images" | null;
  /** Absolute path of a ComfyUI workflow. */
  readonly workflowFile: string | null;
  /** Images under way at the same time in one worker; null: as many as in any lane. */
  readonly concurrency: number | null;
  /** Calls begun at most, over all workers; null for no limit. */
  readonly rateLimit: { readonly max: number; readonly durationMs: number } | null;
  /** The longest that one call may take; null: as long as any. */
  readonly timeoutMs: number | null;
  /** When it is left alone, and for how long; null: never. */
  readonly breaker: { readonly failures: number; readonly coolDownMs: number } | null;
  /** Models that the operator names with it; they join the catalogue. */
  readonly models: readonly CatalogueEntry[];
}

/** A provider that is known and cannot be used, and what would change that. */
export interface UnusableProvider {
  readonly name: string;
  readonly reason: string;
  /** Of the models that the operator names with it. */
  readonly modelIds: readonly string[];
}

export interface Providers {
  readonly usable: readonly ProviderSettings[];
  readonly unusable: readonly UnusableProvider[];
}

const seconds = z.number().positive().max(86_400);

const providerSchema = z.strictObject({
  /** False switches it off, whatever keys there are. */
  enabled: z.boolean().default(true),
  /** The provider's own name where it is one of these. */
  kind: z.enum([...vendors, ...ownServers, "builtin", "custom"]).optional(),
  base_url: z
    .url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" })
    .refine((url) => new URL(url).username === "" && new URL(url).password === "", {
      error: "must not have a user or a password: name the key's variable in api_key_env",
    })
    .transform((url) => url.replace(/\/+$/, ""))
    .optional(),
  api_key_env: z.string().min(1).optional(),
  api_key_file: z.string().min(1).optional(),
  workflow_file: z.string().min(1).optional(),
  quality: z.enum(["low", "medium", "high"]).optional(),
  references: z.enum(["edits", "ref_images"]).optional(),
  concurrency: z.int().positive().max(1_000).optional(),
  rate_limit: z
    .strictObject({ requests: z.int().positive(), per_seconds: seconds.default(60) })
    .optional(),
  timeout_seconds: seconds.optional(),
  circuit_breaker: z
    .union([
      z.literal(false),
      z.strictObject({
        failures: z.int().positive().default(5),
        cool_down_seconds: seconds.default(30),
      }),
    ])
    .prefault({}),
  models: z.array(z.unknown()).default([]),
});

const fileSchema = z.strictObject({ providers: z.record(z.string(), providerSchema) });

/** Also the names of lanes, and so of queues. */
const validName = /^[a-z][a-z0-9-]*$/;

type ProviderEntry = z.infer<typeof providerSchema>;

export interface ProviderSources {
  /** The operator's file of providers. */
  readonly file: string | undefined;
  readonly keys: { readonly [Name in VendorKey]?: string | undefined };
  /** Environment variables: the file may name keys among them. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Which providers can be used: the built-in one, every vendor whose key is there, and what the
 * operator's file adds or tunes.
 *
 * @throws Error that names the file and everything that is wrong in it; never a key.
 */
export async function loadProviders(sources: ProviderSources): Promise<Providers> {
  const { file } = sources;
  const entries: Record<string, ProviderEntry> =
    file === undefined ? {} : await readProvidersFile(file);
  const byDefault = providerSchema.parse({});
  const usable: ProviderSettings[] = [];
  const unusable: UnusableProvider[] = [];
  for (const name of new Set(["builtin", ...vendors, ...Object.keys(entries)])) {
    const entry = entries[name] ?? byDefault;
    try {
      usable.push(await configure(name, entry, sources));
    } catch (error) {
      if (!(error instanceof NotConfigured)) throw error;
      unusable.push({ name, reason: error.message, modelIds: idsOf(entry.models) });
    }
  }
  return { usable, unusable };
}

function idsOf(models: readonly unknown[]): string[] {
  return models.flatMap((model) => {
    const id = (model as { readonly id?: unknown } | null)?.id;
    return typeof id === "string" ? [id] : [];
  });
}

/** Something that an operator may leave out: the provider is not used then. */
class NotConfigured extends Error {
  override readonly name = "NotConfigured";
}

async function configure(
  name: string,
  entry: ProviderEntry,
  sources: ProviderSources,
): Promise<ProviderSettings> {
  const { file } = sources;
  const folder = dirname(resolve(file ?? "."));
  const fail = (field: string, message: string) =>
    new Error(
      `The file of providers ${file} cannot be used: providers.${name}.${field} ${message}`,
    );

  if (!validName.test(name)) {
    throw fail("name", "must be made of lower-case letters, digits and dashes.");
  }
  const kind = entry.kind ?? kindNamed(name);
  if (kind === undefined) throw fail("kind", "is required: the name is not that of a provider.");
  if (!entry.enabled) throw new NotConfigured("it is switched off by enabled: false");
  if (isOwnServer(kind) && entry.base_url === undefined) throw fail("base_url", "is required.");
  if ((kind === "comfyui") !== (entry.workflow_file !== undefined)) {
    throw fail("workflow_file", "is required for ComfyUI, and for nothing else.");
  }
  if (entry.quality !== undefined && kind !== "openai") {
    throw fail("quality", "is for OpenAI alone.");
  }
  if (entry.references !== undefined && kind !== "openai-compatible") {
    throw fail("references", "is for servers that speak OpenAI's API alone.");
  }
  if (entry.api_key_env !== undefined && entry.api_key_file !== undefined) {
    throw fail("api_key_file", "cannot be given beside api_key_env.");
  }
  const apiKey = await readKey(kind, entry, folder, sources, fail);
  const { rate_limit: rate, circuit_breaker: breaker } = entry;
  return {
    name,
    kind,
    apiKey,
    baseUrl: entry.base_url ?? null,
    quality: entry.quality ?? null,
    references: entry.references ?? null,
    workflowFile: entry.workflow_file === undefined ? null : resolve(folder, entry.workflow_file),
    concurrency: entry.concurrency ?? null,
    rateLimit:
      rate === undefined ? null : { max: rate.requests, durationMs: rate.per_seconds * 1_000 },
    timeoutMs: entry.timeout_seconds === undefined ? null : entry.timeout_seconds * 1_000,
    breaker:
      breaker === false
        ? null
        : {
            failures: breaker.failures,
            coolDownMs: breaker.cool_down_seconds * 1_000,
          },
    models: entry.models.map((model, index) => readModel(model, name, `models.${index}`, fail)),
  };
}

function kindNamed(name: string): ProviderKind | undefined {
  return ([...vendors, ...ownServers, "builtin"] as const).find((kind) => kind === name);
}

function isVendor(kind: ProviderKind): kind is Vendor {
  return kind in vendorKeys;
}

function isOwnServer(kind: ProviderKind): boolean {
  return ownServers.some((own) => own === kind);
}

/** A vendor without a key is not used; a key that the file names has to be there. */
async function readKey(
  kind: ProviderKind,
  entry: ProviderEntry,
  folder: string,
  { keys, environment }: ProviderSources,
  fail: (field: string, message: string) => Error,
): Promise<string | null> {
  if (entry.api_key_file !== undefined) {
    const path = resolve(folder, entry.api_key_file);
    const text = await readFile(path, "utf8").catch(() => {
      throw fail("api_key_file", `names ${path}, which cannot be read.`);
    });
    if (text.trim() === "") throw fail("api_key_file", `names ${path}, which is empty.`);
    return text.trim();
  }
  const own = isVendor(kind) ? vendorKeys[kind] : undefined;
  const variable = entry.api_key_env ?? own;
  if (variable === undefined) return null;
  const key = (variable === own ? keys[own] : undefined) ?? environment[variable];
  if (key !== undefined && key.trim() !== "") return key.trim();
  throw new NotConfigured(`${variable} is not set`);
}

function readModel(
  model: unknown,
  provider: string,
  field: string,
  fail: (field: string, message: string) => Error,
): CatalogueEntry {
  const given = typeof model === "object" ? model : {};
  const parsed = catalogueEntry.safeParse({ ...given, provider });
  if (parsed.success) return parsed.data;
  throw fail(field, `is not a model:\n${z.prettifyError(parsed.error)}`);
}

async function readProvidersFile(file: string): Promise<Record<string, ProviderEntry>> {
  let data: unknown;
  try {
    data = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    throw new Error(`The file of providers ${file} cannot be used: ${(cause as Error).message}`, {
      cause,
    });
  }
  const parsed = fileSchema.safeParse(data);
  if (parsed.success) return parsed.data.providers;
  throw new Error(
    `The file of providers ${file} cannot be used:\n${z.prettifyError(parsed.error)}`,
  );
}
