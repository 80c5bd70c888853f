import type { Environment } from "@atelier/configuration";
import { createGuardedFetcher } from "@atelier/guarded-fetch";
import {
  createProvider,
  isRetired,
  type Catalogue,
  type CatalogueEntry,
  type Providers,
  type ProviderOutcome,
  type ProviderSettings,
} from "@atelier/models";
import sharp from "sharp";
import { createSvgDrawer } from "@atelier/svg";
import { table, type Answer } from "../answer.ts";
import { exitCodes } from "../exit-codes.ts";
import { loadModels } from "./load-models.ts";

/** Options of `models check`. */
export interface CheckFlags {
  readonly model?: readonly string[];
  readonly pay?: boolean;
  /** In seconds. */
  readonly timeout: number;
}

/**
 * Lists models, or with `pay` generates an image with each.
 *
 * @throws StartError for a file of providers or models that cannot be used.
 * @throws Error for a requested model that is unknown, or with `pay` not usable.
 */
export function checkModels(environment: Environment, flags: CheckFlags): Promise<Answer> {
  return (flags.pay === true ? tryOut : list)(environment, flags);
}

/** Lists every model with its price and why it is not usable. */
async function list(environment: Environment, { model }: CheckFlags): Promise<Answer> {
  const { catalogue, providers } = await loadModels(environment);
  const rows = (model ?? catalogue.entries.map(({ id }) => id)).map((id) => {
    const entry = find(catalogue, id);
    const problem = problemOf(entry, providers);
    return {
      id: entry.id,
      provider: entry.provider,
      provider_model: entry.provider_model,
      usable: problem === null,
      reason: problem,
      prices_eur: entry.prices_eur,
      supports_multiturn: entry.supports_multiturn,
      max_reference_images: entry.max_reference_images,
      charges_for_refusals: entry.charges_for_refusals,
      fallback: entry.fallback,
      retires_at: entry.retires_at,
      successor: entry.successor,
    };
  });
  const headings = ["MODEL", "PROVIDER", "EUR", "STORIES", "REFERENCES", "FALLBACK", "STATUS"];
  const lines = rows.map((row) => [
    row.id,
    row.provider,
    Object.entries(row.prices_eur)
      .map(([size, eur]) => `${size} ${eur}`)
      .join(", "),
    row.supports_multiturn ? "yes" : "no",
    String(row.max_reference_images),
    row.fallback ?? "-",
    row.reason ?? "usable",
  ]);
  return { json: { models: rows }, text: table(headings, lines) };
}

const prompt = "A red lighthouse on a cliff above the sea at dusk, gouache illustration";

/**
 * Generates one image with each model at its default size and reports the outcomes. Models that make no image of a
 * prompt, such as tools, are named. Nothing is stored.
 *
 * @throws Error for a requested model that is unknown or not usable.
 */
async function tryOut(
  environment: Environment,
  { model: wanted, timeout }: CheckFlags,
): Promise<Answer> {
  const { catalogue, providers } = await loadModels(environment);
  const usable = choose(catalogue, providers, wanted);
  const chosen = usable.filter(({ operations }) => operations.includes("image"));
  const tools = usable.filter((entry) => !chosen.includes(entry)).map(({ id }) => id);
  const results = [];
  for (const entry of chosen) {
    const settings = providers.usable.find(({ name }) => name === entry.provider);
    if (settings !== undefined) results.push(await callOnce(entry, settings, timeout * 1_000));
  }
  const headings = ["MODEL", "OUTCOME", "MS", "PIXELS", "BYTES", "MESSAGE"];
  const rows = results.map((result) => [
    result.model,
    result.outcome,
    String(result.duration_ms),
    result.pixels ?? "-",
    result.size_bytes === null ? "-" : String(result.size_bytes),
    result.message ?? "",
  ]);
  return {
    json: { checks: results, not_tried: tools },
    text: [
      table(headings, rows),
      ...(tools.length === 0
        ? []
        : ["", `Not tried, since they need more than a prompt: ${tools.join(", ")}.`]),
    ].join("\n"),
    exitCode: results.every(({ outcome }) => outcome === "image")
      ? exitCodes.done
      : exitCodes.failed,
  };
}

/** Returns why a model is not usable; null if it is. */
function problemOf(entry: CatalogueEntry, { usable, unusable }: Providers): string | null {
  if (isRetired(entry)) return `retired: use ${entry.successor ?? "another"}`;
  if (usable.some(({ name }) => name === entry.provider)) return null;
  const known = unusable.find(({ name }) => name === entry.provider);
  return known?.reason ?? `PROVIDERS_FILE has no provider "${entry.provider}"`;
}

function choose(
  catalogue: Catalogue,
  providers: Providers,
  wanted: readonly string[] | undefined,
): readonly CatalogueEntry[] {
  if (wanted === undefined) {
    return catalogue.entries.filter((entry) => problemOf(entry, providers) === null);
  }
  return wanted.map((id) => {
    const entry = find(catalogue, id);
    const problem = problemOf(entry, providers);
    if (problem !== null) throw new Error(`${id} is not usable: ${problem}.`);
    return entry;
  });
}

function find(catalogue: Catalogue, id: string): CatalogueEntry {
  const entry = catalogue.entryOf(id);
  if (entry !== null) return entry;
  throw new Error(`Model "${id}" does not exist. "models check" lists all models.`);
}

interface Check {
  readonly model: string;
  readonly outcome: ProviderOutcome["kind"] | "custom";
  readonly duration_ms: number;
  /** Such as `1024x1024`. */
  readonly pixels: string | null;
  readonly size_bytes: number | null;
  readonly message: string | null;
}

async function callOnce(
  entry: CatalogueEntry,
  settings: ProviderSettings,
  timeoutMs: number,
): Promise<Check> {
  const fetcher = createGuardedFetcher({
    maxBytes: 100 * 1024 * 1024,
    maxPixels: 40_000_000,
    totalTimeoutMs: 60_000,
  });
  const svgDrawer = createSvgDrawer();
  const common = { model: entry.id, pixels: null, size_bytes: null };
  try {
    // Replaces the adapter's own timeout.
    const provider = await createProvider(
      { ...settings, timeoutMs },
      { fetchResult: (url, signal) => fetcher.fetchOriginal(url, signal), svgDrawer },
    );
    if (provider === null) {
      const message = "its adapter is passed to the worker in code";
      return { ...common, outcome: "custom", duration_ms: 0, message };
    }
    const startedAt = performance.now();
    const outcome = await provider.generate(
      {
        model: entry.provider_model,
        prompt,
        aspectRatio: entry.default_aspect_ratio,
        imageSize: entry.default_image_size,
        seed: 7,
        references: [],
        previousTurn: null,
      },
      {
        signal: AbortSignal.timeout(timeoutMs),
        key: crypto.randomUUID(),
        resumeRequestId: null,
        onRequestId: async () => undefined,
      },
    );
    const duration_ms = Math.round(performance.now() - startedAt);
    if (outcome.kind !== "image") {
      return { ...common, outcome: outcome.kind, duration_ms, message: messageOf(outcome) };
    }
    const { bytes } = outcome.image;
    const { width, height } = await sharp(bytes).metadata();
    return {
      ...common,
      outcome: "image",
      duration_ms,
      pixels: `${width}x${height}`,
      size_bytes: bytes.byteLength,
      message: null,
    };
  } finally {
    await fetcher.close();
  }
}

function messageOf(outcome: Exclude<ProviderOutcome, { kind: "image" }>): string | null {
  if ("message" in outcome) return outcome.message;
  if (outcome.kind === "refused") return outcome.categories.join(", ") || null;
  return outcome.retryAfterMs === null ? null : `retry after ${outcome.retryAfterMs} ms`;
}
