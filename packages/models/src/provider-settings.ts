import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { catalogueEntry, type CatalogueEntry } from "./catalogue-entry.ts";
import { description, type Description } from "./providers/described/description.ts";
import { describedServers, describedVendors, readShipped } from "./providers/described/shipped.ts";
import { geminiThinking, type GeminiThinking } from "./providers/gemini/gemini-thinking.ts";
import {
  openAiComplexities,
  openAiQualities,
  type OpenAiComplexity,
  type OpenAiQuality,
} from "./providers/openai/openai-effort.ts";
import { describeIssues, describePosition, readJsonText } from "./read-json-file.ts";
import { openAiSvgEfforts, type OpenAiSvgAuthor } from "./providers/openai/openai-svg.ts";
import { serverList, serverUrl, type ServerSettings } from "./server-settings.ts";

/** The environment variable that holds each vendor's key; a key enables its vendor. */
export const vendorKeys = {
  openai: "OPENAI_API_KEY",
  gemini: "GEMINI_API_KEY",
  bfl: "BFL_API_KEY",
  stability: "STABILITY_API_KEY",
  recraft: "RECRAFT_API_KEY",
  ...describedVendors,
} as const;

/** Self-hosted servers; an entry with an address enables one. */
const ownServers = ["openai-compatible", "sdcpp", "comfyui", "automatic1111"] as const;

/** The provider and lane of test jobs. */
export const testLane = "builtin-test";

/**
 * The built-in models. Diagrams have a provider, and therefore a lane, of their own: a layout takes
 * seconds of CPU time for a source of 3 kB, and must not delay images. So do tests, which cost nothing.
 */
const builtins = ["builtin", "builtin-diagrams", testLane] as const;

/** The vendors and kinds of servers that have an adapter or a description in this repository. */
export const knownProviders: readonly string[] = [
  ...Object.keys(vendorKeys),
  ...ownServers,
  ...describedServers,
];

type Vendor = keyof typeof vendorKeys;
type VendorKey = (typeof vendorKeys)[Vendor];

/**
 * The protocol that a provider speaks. `http` is described by data; `builtin` needs no settings; the
 * adapter of a `custom` provider is passed to the worker in code.
 */
export type ProviderKind =
  | Exclude<Vendor, keyof typeof describedVendors>
  | (typeof ownServers)[number]
  | "http"
  | "builtin"
  | "custom";

/** The kinds that a file may name: also the descriptions of this repository. */
type NamedKind = ProviderKind | keyof typeof describedVendors | (typeof describedServers)[number];

const vendors = Object.keys(vendorKeys) as Vendor[];

/** A usable provider, with the settings that its adapter and its lane need. */
export interface ProviderSettings {
  /** Name of the provider and of its lane. */
  readonly name: string;
  readonly kind: ProviderKind;
  readonly apiKey: string | null;
  /** Of the first server if there are several; null selects the vendor's own URL. */
  readonly baseUrl: string | null;
  /** Several servers of the operator behind this provider; null for one, and for vendors. */
  readonly servers: readonly ServerSettings[] | null;
  /** OpenAI's `quality` parameter, which affects the price; null selects the adapter's default. */
  readonly quality: OpenAiQuality | null;
  /** How much OpenAI's models plan an image; null selects the adapter's default. */
  readonly complexity: OpenAiComplexity | null;
  /** The model that writes SVG files for OpenAI's image models; null for no graphics. */
  readonly svgAuthor: OpenAiSvgAuthor | null;
  /** How much Gemini's models think about an image; null selects the model's own. */
  readonly thinking: GeminiThinking | null;
  /** How references are sent to a server with OpenAI's API; null selects OpenAI's own format. */
  readonly references: "edits" | "ref_images" | null;
  /** The field for masks of a server with OpenAI's API; null for a server without masks. */
  readonly maskField: "mask" | "mask_image" | null;
  /** The folder of LoRAs on a server with OpenAI's API; null for a server without LoRAs per request. */
  readonly loraFolder: string | null;
  /** Whether a server with OpenAI's API takes `negative_prompt`. */
  readonly hasNegativePrompt: boolean;
  /** Absolute path of a ComfyUI workflow. */
  readonly workflowFile: string | null;
  /** The HTTP API of a provider of the kind `http`; null for other kinds. */
  readonly description: Description | null;
  /** Concurrent images per worker process; null selects the default of all lanes. */
  readonly concurrency: number | null;
  /** Rate limit for starting calls, across all workers; null for no limit. */
  readonly rateLimit: { readonly max: number; readonly durationMs: number } | null;
  /** Timeout of one call in milliseconds; null selects the default. */
  readonly timeoutMs: number | null;
  /** Circuit breaker: consecutive failures that open it, and the cool-down; null disables it. */
  readonly breaker: { readonly failures: number; readonly coolDownMs: number } | null;
  /** Models that the operator lists with the provider; they are added to the catalogue. */
  readonly models: readonly CatalogueEntry[];
}

/** A known provider that cannot be used, and what is missing. */
export interface UnusableProvider {
  readonly name: string;
  readonly reason: string;
  /** Ids of the models that the operator lists with the provider. */
  readonly modelIds: readonly string[];
}

export interface Providers {
  readonly usable: readonly ProviderSettings[];
  readonly unusable: readonly UnusableProvider[];
}

const seconds = z.number().positive().max(86_400);

const providerSchema = z.strictObject({
  /** False disables the provider, even when its key is set. */
  enabled: z.boolean().default(true),
  /** Defaults to the provider's name if that is one of these kinds. */
  kind: z
    .enum([...vendors, ...ownServers, ...describedServers, "http", "builtin", "custom"])
    .optional(),
  base_url: serverUrl.optional(),
  base_urls: serverList.optional(),
  api_key_env: z.string().min(1).optional(),
  api_key_file: z.string().min(1).optional(),
  workflow_file: z.string().min(1).optional(),
  description_file: z.string().min(1).optional(),
  quality: z.enum(openAiQualities).optional(),
  complexity: z.enum(openAiComplexities).optional(),
  svg: z
    .strictObject({ model: z.string().min(1), effort: z.enum(openAiSvgEfforts).optional() })
    .optional(),
  thinking: z.enum(geminiThinking).optional(),
  references: z.enum(["edits", "ref_images"]).optional(),
  mask_field: z.enum(["mask", "mask_image"]).optional(),
  lora_folder: z.string().min(1).optional(),
  negative_prompt: z.boolean().optional(),
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

/** Names are used for lanes and therefore for queues. */
const validName = /^[a-z][a-z0-9-]*$/;

type ProviderEntry = z.infer<typeof providerSchema>;

export interface ProviderSources {
  /** The operator's providers file. */
  readonly file: string | undefined;
  readonly keys: { readonly [Name in VendorKey]?: string | undefined };
  /** Environment variables; the file may name keys among them. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Determines the usable providers: the built-in one, every vendor with a key, and those that the
 * operator's file adds or changes.
 *
 * @throws Error that names the file and lists every problem in it; it never contains a key.
 */
export async function loadProviders(sources: ProviderSources): Promise<Providers> {
  const { file } = sources;
  const { entries, text } = file === undefined ? noFile : await readProvidersFile(file);
  const byDefault = providerSchema.parse({});
  const usable: ProviderSettings[] = [];
  const unusable: UnusableProvider[] = [];
  const isBuiltinEnabled = (entries["builtin"] ?? byDefault).enabled;
  for (const name of new Set([...builtins, ...vendors, ...Object.keys(entries)])) {
    const common = isBuiltin(name) ? { ...byDefault, enabled: isBuiltinEnabled } : byDefault;
    const entry = entries[name] ?? common;
    try {
      usable.push(await configure(name, entry, { ...sources, text }));
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

/** A missing optional setting: the provider is skipped. */
class NotConfigured extends Error {
  override readonly name = "NotConfigured";
}

async function configure(
  name: string,
  entry: ProviderEntry,
  sources: ProviderSources & Pick<ProvidersFile, "text">,
): Promise<ProviderSettings> {
  const { file, text } = sources;
  const folder = dirname(resolve(file ?? "."));
  const fail = (field: string, message: string) => {
    const where = describePosition(text, ["providers", name, ...field.split(".")]);
    return new Error(
      `The file of providers ${file} cannot be used: ${where}: providers.${name}.${field} ${message}`,
    );
  };

  if (!validName.test(name)) {
    throw fail("name", "must be made of lower-case letters, digits and dashes.");
  }
  const named: NamedKind | undefined = entry.kind ?? kindNamed(name);
  if (named === undefined) throw fail("kind", "is required: the name is not that of a provider.");
  if (!entry.enabled) throw new NotConfigured("it is switched off by enabled: false");
  if ((named === "http") !== (entry.description_file !== undefined)) {
    throw fail("description_file", "is required for the kind http, and for nothing else.");
  }
  const described = await findDescription(named, entry, folder);
  const kind: ProviderKind = isDescribed(named) ? "http" : named;
  const hasBaseUrl = (entry.base_url ?? described?.base_url) !== undefined;
  if (entry.base_urls !== undefined) {
    if (entry.base_url !== undefined) throw fail("base_urls", "cannot be given beside base_url.");
    if (!isOwnServer(kind)) {
      throw fail("base_urls", `is only for the kinds ${ownServers.join(", ")}.`);
    }
  } else if (isOwnServer(kind) && !hasBaseUrl) {
    throw fail("base_url", "is required, or base_urls for several servers.");
  } else if (kind === "http" && !hasBaseUrl) {
    throw fail("base_url", "is required.");
  }
  if ((kind === "comfyui") !== (entry.workflow_file !== undefined)) {
    throw fail("workflow_file", "is required for ComfyUI, and for nothing else.");
  }
  for (const field of ["quality", "complexity", "svg"] as const) {
    if (entry[field] !== undefined && kind !== "openai") {
      throw fail(field, "is for OpenAI alone.");
    }
  }
  if (entry.thinking !== undefined && kind !== "gemini") {
    throw fail("thinking", "is for Gemini alone.");
  }
  for (const field of ["references", "mask_field", "lora_folder", "negative_prompt"] as const) {
    if (entry[field] !== undefined && kind !== "openai-compatible") {
      throw fail(field, "is only for servers with OpenAI's API.");
    }
  }
  if (entry.api_key_env !== undefined && entry.api_key_file !== undefined) {
    throw fail("api_key_file", "cannot be given beside api_key_env.");
  }
  const apiKey = await readKey(named, entry, folder, sources, fail);
  if (apiKey === null && described?.key?.is_optional === false) {
    throw fail("api_key_env", "is required: the description sends a key.");
  }
  const models = entry.models.map((model, index) => readModel(model, name, index, text, fail));
  if (kind === "openai" && entry.svg === undefined) {
    const graphic = models.findIndex(({ operations }) => operations.includes("graphic"));
    if (graphic !== -1)
      throw fail(`models.${graphic}.operations`, "with graphic need svg of the provider.");
  }
  if (kind === "openai-compatible") {
    for (const [index, model] of models.entries()) {
      if (model.supports_mask && entry.mask_field === undefined) {
        throw fail(`models.${index}.supports_mask`, "needs mask_field of the provider.");
      }
      if (model.supports_negative_prompt && entry.negative_prompt !== true) {
        throw fail(
          `models.${index}.supports_negative_prompt`,
          "needs negative_prompt: true of the provider.",
        );
      }
    }
  }
  const limits = described?.limits;
  const { circuit_breaker: breaker, rate_limit: rate = limits } = entry;
  const timeout = entry.timeout_seconds ?? limits?.timeout_seconds;
  return {
    name,
    kind,
    apiKey,
    baseUrl: entry.base_url ?? entry.base_urls?.[0]?.url ?? null,
    servers: entry.base_urls ?? null,
    quality: entry.quality ?? null,
    complexity: entry.complexity ?? null,
    svgAuthor:
      entry.svg === undefined ? null : { model: entry.svg.model, effort: entry.svg.effort ?? null },
    thinking: entry.thinking ?? null,
    references: entry.references ?? null,
    maskField: entry.mask_field ?? null,
    loraFolder: entry.lora_folder?.replace(/(?<!\/)\/+$/, "") ?? null,
    hasNegativePrompt: entry.negative_prompt ?? false,
    workflowFile: entry.workflow_file === undefined ? null : resolve(folder, entry.workflow_file),
    description: described,
    // One image at a time in each worker bounds what free tests take from paid images.
    concurrency: entry.concurrency ?? limits?.concurrency ?? (name === testLane ? 1 : null),
    rateLimit:
      rate?.requests === undefined
        ? null
        : { max: rate.requests, durationMs: rate.per_seconds * 1_000 },
    timeoutMs: timeout === undefined ? null : timeout * 1_000,
    breaker:
      breaker === false
        ? null
        : {
            failures: breaker.failures,
            coolDownMs: breaker.cool_down_seconds * 1_000,
          },
    models,
  };
}

function isBuiltin(name: string): boolean {
  return builtins.some((builtin) => builtin === name);
}

function kindNamed(name: string): NamedKind | undefined {
  if (isBuiltin(name)) return "builtin";
  return [...vendors, ...ownServers, ...describedServers].find((kind) => kind === name);
}

/** Whether a kind is a description of this repository. */
function isDescribed(
  kind: NamedKind,
): kind is keyof typeof describedVendors | (typeof describedServers)[number] {
  return kind in describedVendors || describedServers.some((server) => server === kind);
}

/** The description of a provider; null for kinds without one. */
async function findDescription(
  kind: NamedKind,
  entry: ProviderEntry,
  folder: string,
): Promise<Description | null> {
  if (isDescribed(kind)) return readShipped(kind);
  if (entry.description_file === undefined) return null;
  const file = resolve(folder, entry.description_file);
  const named = `The description ${file}`;
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`${named} cannot be read.`, { cause });
  });
  return readJsonText(text, description, named);
}

function isVendor(kind: NamedKind): kind is Vendor {
  return kind in vendorKeys;
}

function isOwnServer(kind: ProviderKind): boolean {
  return ownServers.some((server) => server === kind);
}

/** Reads a key. A vendor without a key is skipped; a key that the file names must exist. */
async function readKey(
  kind: NamedKind,
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
  const vendorVariable = isVendor(kind) ? vendorKeys[kind] : undefined;
  const variable = entry.api_key_env ?? vendorVariable;
  if (variable === undefined) return null;
  const key =
    (variable === vendorVariable ? keys[vendorVariable] : undefined) ?? environment[variable];
  if (key !== undefined && key.trim() !== "") return key.trim();
  throw new NotConfigured(`${variable} is not set`);
}

function readModel(
  model: unknown,
  provider: string,
  index: number,
  text: string,
  fail: (field: string, message: string) => Error,
): CatalogueEntry {
  const fields = typeof model === "object" ? model : {};
  const parsed = catalogueEntry.safeParse({ ...fields, provider });
  if (parsed.success) return parsed.data;
  const path = ["providers", provider, "models", index];
  const problems = describeIssues(text, catalogueEntry, parsed.error, path);
  throw fail(`models.${index}`, `is not a model:\n${problems}`);
}

/** A file of providers, and its text, in which positions are found. */
interface ProvidersFile {
  readonly entries: Readonly<Record<string, ProviderEntry>>;
  readonly text: string;
}

const noFile: ProvidersFile = { entries: {}, text: "" };

async function readProvidersFile(file: string): Promise<ProvidersFile> {
  const name = `The file of providers ${file}`;
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`${name} cannot be used: ${(cause as Error).message}`, { cause });
  });
  return { entries: readJsonText(text, fileSchema, name).providers, text };
}
