import { engineParameterNames, type Capability, type PixelSize } from "@atelier/schemas";
import type { SvgDrawer } from "@atelier/svg";
import * as z from "zod";
import type { CatalogueEntry } from "../catalogue-entry.ts";
import type { FoundModel } from "../discovery/describe-entry.ts";
import type { ReadServer } from "../discovery/read-server.ts";
import type { EngineDefaults } from "../engine-settings.ts";
import type { Provider } from "../provider.ts";
import type { ServerSettings } from "../server-settings.ts";
import type { Description } from "./described/description.ts";
import type { FetchResult } from "./http/fetch-result.ts";

/** The settings that providers of every kind have. */
export interface CommonSettings<Own = unknown> {
  /** Name of the provider and of its lane. */
  readonly name: string;
  readonly apiKey: string | null;
  /** Of the first server if there are several; null selects the vendor's own URL. */
  readonly baseUrl: string | null;
  /** Several servers of the operator behind this provider; null for one, and for vendors. */
  readonly servers: readonly ServerSettings[] | null;
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
  /** The settings that only this kind has, as its `read` returns them. */
  readonly own: Own;
}

/** Dependencies of the adapters besides their settings. */
export interface ProviderTools {
  /** Downloads an image from a URL that a provider returned, under the rules for untrusted URLs. */
  readonly fetchResult: FetchResult;
  /** Draws SVG of providers, which is not trusted. */
  readonly svgDrawer: SvgDrawer;
}

/** An image to ask for. */
interface WantedSize {
  readonly model: string;
  readonly aspectRatio: string;
  readonly imageSize: string;
}

/** Everything that differs between the kinds of providers. One folder has it for each kind. */
export interface Kind<Own = unknown, Key extends string | null = string | null> {
  /** The environment variable of the vendor's key, which enables the vendor; null for other kinds. */
  readonly keyVariable: Key;
  /** Whose servers it calls: a vendor's or none, one of the operator, or one and more of the operator. */
  readonly servers: "vendor" | "one" | "many";
  /** The settings that only this kind has. */
  readonly own: OwnSettings<Own>;
  /** Whether the adapter sends an exact size to a model. */
  canSize(model: string, own: Own): boolean;
  /** Whether the adapter sends the seed to every model: the default of `supports_seed`. Default: false. */
  sendsSeed?(own: Own): boolean;
  /** The presets and parameters that the adapter sends. */
  parameters(own: Own): readonly (keyof EngineDefaults)[];
  /**
   * The pixels that the adapter asks for; null when the vendor chooses them.
   *
   * @throws CallEnded for a size that the adapter refuses.
   */
  pixels(wanted: WantedSize, own: Own): PixelSize | null;
  /** The part of a call that a server has to load first; constant for a server with one model. */
  loads(model: string, own: Own): string;
  /** How a server is asked for its models; null for a kind that cannot be asked. */
  readonly discovery: Discovery<Own> | null;
  /**
   * Creates the adapter; null when it is passed to the worker in code.
   *
   * @throws Error when a file of the settings, such as a workflow, is not usable.
   */
  create(
    settings: CommonSettings<Own>,
    tools: ProviderTools,
  ): Provider | null | Promise<Provider | null>;
  /** Settings that apply where the operator's file has none. Default: none. */
  defaults?(own: Own): Pick<Description, "base_url" | "key" | "limits">;
  /** Finds what a model that the operator lists with the provider cannot have. Default: nothing. */
  checkModel?(model: CatalogueEntry, own: Own): ModelProblem | null;
  /** Finds what a model of any catalogue cannot have, as a part of a sentence. Default: nothing. */
  checkEntry?(entry: CatalogueEntry, own: Own): string | null;
}

/** The settings in the operator's file that only one kind has. */
export interface OwnSettings<Own> {
  /** By name. Those that are not optional are required. */
  readonly fields: z.ZodRawShape;
  /** Follows the name of a field in the error about a missing one, and about one of another kind. */
  readonly rule: string;
  /**
   * @param entry the provider's entry in the file.
   * @param folder of the file, for relative paths.
   */
  read(entry: object, folder: string): Own | Promise<Own>;
}

/** A field of a model in the operator's file, and its problem after the name of the field. */
interface ModelProblem {
  readonly field: string;
  readonly message: string;
}

interface Discovery<Own> {
  /** The header `authorization` with a key. */
  authorize(apiKey: string): string;
  find(read: ReadServer, own: Own): Promise<FoundModel[]>;
}

/** Defines the settings of a kind. */
export function ownSettings<Shape extends z.ZodRawShape, Own>(
  fields: Shape,
  rule: string,
  read: (fields: z.output<z.ZodObject<Shape>>, folder: string) => Own | Promise<Own>,
): OwnSettings<Own> {
  const schema = z.object(fields);
  return { fields, rule, read: (entry, folder) => read(schema.parse(entry), folder) };
}

/** For kinds without settings of their own. */
export const noOwnSettings = ownSettings({}, "", () => null);

/** Of the adapters that send an exact size to every model. */
export const everyModel = () => true;

/** Of the adapters that send the seed to every model. */
export const everySeed = () => true;

/** All presets and parameters. */
export const allParameters = [...engineParameterNames, "extra"] as const;

/** The capabilities of the engine parameters among presets and parameters. */
export function parameterCapabilities(sent: readonly (keyof EngineDefaults)[]): Capability[] {
  return engineParameterNames
    .filter((name) => sent.includes(name))
    .map((name) => `parameters.${name}` as const);
}

/** The settings that adapters of vendors share. */
export function vendorOptions({ apiKey, baseUrl, timeoutMs }: CommonSettings) {
  return {
    apiKey: apiKey ?? "",
    baseUrl: baseUrl ?? undefined,
    totalTimeoutMs: timeoutMs ?? undefined,
  };
}

/** The settings that adapters of the operator's servers share: a key only if a proxy requires one. */
export function serverOptions({ apiKey, baseUrl, timeoutMs }: CommonSettings) {
  return {
    apiKey: apiKey ?? undefined,
    baseUrl: baseUrl ?? "",
    totalTimeoutMs: timeoutMs ?? undefined,
  };
}

/** The header `authorization` of servers that take a token. */
export const bearer = (apiKey: string) => `Bearer ${apiKey}`;
