import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { catalogueEntry, type CatalogueEntry } from "./catalogue-entry.ts";
import { builtins, testLane } from "./providers/builtin/kind.ts";
import {
  describedServers,
  describedVendors,
  isShipped,
  shipped,
  shippedFile,
} from "./providers/described/shipped.ts";
import { kindOf, kinds, type ProviderKind, type ProviderSettings } from "./providers/kinds.ts";
import { describeIssues, describePosition, readJsonText } from "./read-json-file.ts";
import { serverList, serverUrl } from "./server-settings.ts";

/** Self-hosted servers; an entry with an address enables one. */
const ownServers = Object.keys(kinds).filter(
  (kind) => kinds[kind as ProviderKind].servers === "many",
);

/** The environment variable that holds each vendor's key; a key enables its vendor. */
export const vendorKeys: Readonly<Record<string, VendorKey>> = {
  ...Object.fromEntries(
    Object.entries(kinds).flatMap(([name, { keyVariable }]) =>
      keyVariable === null ? [] : [[name, keyVariable]],
    ),
  ),
  ...describedVendors,
};

type VendorKey =
  | NonNullable<(typeof kinds)[ProviderKind]["keyVariable"]>
  | (typeof describedVendors)[keyof typeof describedVendors];

/** The vendors and kinds of servers that have an adapter or a description in this repository. */
export const knownProviders: readonly string[] = [
  ...Object.keys(vendorKeys),
  ...ownServers,
  ...describedServers,
];

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

/** The fields of all kinds: an entry has those of its kind. */
const ownFields = z
  .object(Object.assign({}, ...Object.values(kinds).map(({ own }) => own.fields)) as z.ZodRawShape)
  .partial().shape;

const providerSchema = z.strictObject({
  /** False disables the provider, even when its key is set. */
  enabled: z.boolean().default(true),
  /** Defaults to the provider's name if that is one of these kinds. */
  kind: z.enum([...Object.keys(kinds), ...shipped]).optional(),
  base_url: serverUrl.optional(),
  base_urls: serverList.optional(),
  api_key_env: z.string().min(1).optional(),
  api_key_file: z.string().min(1).optional(),
  ...ownFields,
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
  for (const name of new Set([...builtins, ...Object.keys(vendorKeys), ...Object.keys(entries)])) {
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
  const named = entry.kind ?? kindNamed(name);
  if (named === undefined) throw fail("kind", "is required: the name is not that of a provider.");
  if (!entry.enabled) throw new NotConfigured("it is switched off by enabled: false");
  assertOwnFields(named, entry, fail);
  const described = isShipped(named) ? { description_file: shippedFile(named) } : {};
  const kind = isShipped(named) ? "http" : (named as ProviderKind);
  const definition = kindOf({ kind });
  const { servers } = definition;
  const own = await definition.own.read({ ...entry, ...described }, folder);
  const { base_url: baseUrl, key, limits } = definition.defaults?.(own) ?? {};
  const hasBaseUrl = (entry.base_url ?? baseUrl) !== undefined;
  if (entry.base_urls !== undefined) {
    if (entry.base_url !== undefined) throw fail("base_urls", "cannot be given beside base_url.");
    if (servers !== "many")
      throw fail("base_urls", `is only for the kinds ${ownServers.join(", ")}.`);
  } else if (servers === "many" && !hasBaseUrl) {
    throw fail("base_url", "is required, or base_urls for several servers.");
  } else if (servers === "one" && !hasBaseUrl) {
    throw fail("base_url", "is required.");
  }
  if (entry.api_key_env !== undefined && entry.api_key_file !== undefined) {
    throw fail("api_key_file", "cannot be given beside api_key_env.");
  }
  const apiKey = await readKey(named, entry, folder, sources, fail);
  if (apiKey === null && key?.is_optional === false) {
    throw fail("api_key_env", "is required: the description sends a key.");
  }
  const models = entry.models.map((model, index) =>
    readModel(model, { name, definition, own }, index, text, fail),
  );
  for (const [index, model] of models.entries()) {
    const problem = definition.checkModel?.(model, own) ?? null;
    if (problem !== null) throw fail(`models.${index}.${problem.field}`, problem.message);
  }
  const { circuit_breaker: breaker, rate_limit: rate = limits } = entry;
  const timeout = entry.timeout_seconds ?? limits?.timeout_seconds;
  return {
    name,
    kind,
    apiKey,
    baseUrl: entry.base_url ?? entry.base_urls?.[0]?.url ?? null,
    servers: entry.base_urls ?? null,
    own,
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

/** Detects a field of another kind, and a missing one of this kind. */
function assertOwnFields(named: string, entry: ProviderEntry, fail: Fail): void {
  for (const [kind, { own }] of Object.entries(kinds)) {
    for (const [field, schema] of Object.entries(own.fields)) {
      const isMissing = entry[field as keyof ProviderEntry] === undefined;
      const isWanted = kind === named;
      const isOptional = z.safeParse(schema, undefined).success;
      if (isWanted ? isMissing && !isOptional : !isMissing) throw fail(field, own.rule);
    }
  }
}

type Fail = (field: string, message: string) => Error;

function isBuiltin(name: string): boolean {
  return builtins.includes(name);
}

function kindNamed(name: string): string | undefined {
  return isBuiltin(name) ? "builtin" : knownProviders.find((known) => known === name);
}

/** Reads a key. A vendor without a key is skipped; a key that the file names must exist. */
async function readKey(
  kind: string,
  entry: ProviderEntry,
  folder: string,
  { keys, environment }: ProviderSources,
  fail: Fail,
): Promise<string | null> {
  if (entry.api_key_file !== undefined) {
    const path = resolve(folder, entry.api_key_file);
    const text = await readFile(path, "utf8").catch(() => {
      throw fail("api_key_file", `names ${path}, which cannot be read.`);
    });
    if (text.trim() === "") throw fail("api_key_file", `names ${path}, which is empty.`);
    return text.trim();
  }
  const vendorVariable = vendorKeys[kind];
  const variable = entry.api_key_env ?? vendorVariable;
  if (variable === undefined) return null;
  const key =
    (variable === vendorVariable ? keys[vendorVariable] : undefined) ?? environment[variable];
  if (key !== undefined && key.trim() !== "") return key.trim();
  throw new NotConfigured(`${variable} is not set`);
}

/** Reads a model of a provider. What it leaves out follows from the provider's kind where that says it. */
function readModel(
  model: unknown,
  { name: provider, definition, own }: ModelOwner,
  index: number,
  text: string,
  fail: Fail,
): CatalogueEntry {
  const fields = typeof model === "object" ? model : {};
  const supports_seed = definition.sendsSeed?.(own) ?? false;
  const parsed = catalogueEntry.safeParse({ supports_seed, ...fields, provider });
  if (parsed.success) return parsed.data;
  const path = ["providers", provider, "models", index];
  const problems = describeIssues(text, catalogueEntry, parsed.error, path);
  throw fail(`models.${index}`, `is not a model:\n${problems}`);
}

interface ModelOwner {
  readonly name: string;
  readonly definition: ReturnType<typeof kindOf>;
  readonly own: unknown;
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
