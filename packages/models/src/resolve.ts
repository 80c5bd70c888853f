import {
  AppError,
  type Capability,
  type ModelCapability,
  type EngineParameters,
  type ErrorCode,
  type Operation,
  type RequestProblem,
} from "@atelier/schemas";
import { describeCapable, maxReferencesFor, supportsCapability } from "./capabilities.ts";
import { isRetired, type Catalogue } from "./catalogue.ts";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import { checkParameters } from "./engine-settings.ts";

/** The requirements of a request. */
export interface ModelRequest {
  readonly model: string;
  readonly aspectRatio: string | undefined;
  readonly imageSize: string | undefined;
  readonly referenceImages: number;
  /** Default: `image`. */
  readonly operation?: Operation;
  /** The options that the request uses, with the fields that need them. Default: none. */
  readonly capabilities?: readonly {
    readonly capability: ModelCapability;
    readonly path: string;
  }[];
  /** Number of images. Default: 1. */
  readonly count?: number;
  /** Options of the engine that the request sets. Default: none. */
  readonly parameters?: EngineParameters | undefined;
}

export interface ResolvedModel {
  readonly entry: CatalogueEntry;
  readonly aspectRatio: string;
  readonly imageSize: string;
}

/** A capability that a request needs and a model lacks. */
interface MissingCapability extends RequestProblem {
  readonly code: ErrorCode;
  readonly supported?: readonly string[];
  readonly max?: number;
  readonly capability?: Capability;
}

/**
 * Finds the model of a request and fills in its defaults.
 *
 * @throws AppError `model_not_found`; `model_not_capable`, `unsupported_aspect_ratio`,
 *   `unsupported_image_size` or `references_not_supported` for the first missing capability, with all
 *   missing capabilities and the supported values in `details`.
 */
export function resolveModel(catalogue: Catalogue, request: ModelRequest): ResolvedModel {
  const entry = catalogue.find(request.model);
  const aspectRatio = request.aspectRatio ?? entry.default_aspect_ratio;
  const imageSize = request.imageSize ?? entry.default_image_size;
  const missing = [
    ...findMissingCapabilities(catalogue, entry, request),
    ...findMissing(entry, aspectRatio, imageSize, request),
  ];
  const [first] = missing;
  if (first !== undefined) throw new AppError(first.code, first.message, { details: missing });
  return { entry, aspectRatio, imageSize };
}

/** The operation, options and number of images that a request needs. */
type Needs = Pick<ModelRequest, "operation" | "capabilities" | "count" | "parameters">;

/**
 * @param catalogue has the models that the error may name instead.
 * @throws AppError `model_not_capable` with all missing capabilities in `details`.
 */
export function assertCapable(
  catalogue: Pick<Catalogue, "entries">,
  entry: CatalogueEntry,
  needs: Needs,
): void {
  const missing = findMissingCapabilities(catalogue, entry, needs);
  const [first] = missing;
  if (first !== undefined) throw new AppError(first.code, first.message, { details: missing });
}

/** An operation comes first: without it, no change to the options would help. */
function findMissingCapabilities(
  { entries }: Pick<Catalogue, "entries">,
  entry: CatalogueEntry,
  request: Needs,
): MissingCapability[] {
  const { operation = "image", capabilities = [], count = 1, parameters = {} } = request;
  const needed = [{ capability: operation, path: "model" }, ...capabilities];
  const uses = (option: ModelCapability) =>
    capabilities.some(({ capability }) => capability === option);
  const missing: MissingCapability[] = needed
    .filter(({ capability }) => !supportsCapability(entry, capability))
    .map(({ capability, path }) => ({
      path,
      code: "model_not_capable",
      capability,
      message: `${entry.id} does not support ${capability}. Use a model ${describeCapable(capability)}${nameCapable(entries, [operation, capability])}: GET /v1/models lists them.`,
    }));
  if (uses("mask") && uses("markup")) {
    missing.push({
      path: "markup",
      code: "model_not_capable",
      capability: "markup",
      message: `${entry.id} takes no markup beside a mask. Omit one of them.`,
    });
  }
  if (entry.requires_mask && operation === "edit" && !uses("mask")) {
    missing.push({
      path: "mask",
      code: "model_not_capable",
      capability: "edit",
      message: `${entry.id} only edits images with a mask. Add a mask, or use another model.`,
    });
  }
  for (const { parameter, ...problem } of checkParameters(
    entry.client_may_set,
    parameters,
    entry.id,
  )) {
    const path = `parameters.${parameter}` as const;
    missing.push({ path, code: "model_not_capable", capability: path, ...problem });
  }
  if (count > entry.max_n) {
    missing.push({
      path: "n",
      code: "model_not_capable",
      capability: "n",
      message: `${entry.id} makes at most ${entry.max_n} images per request. Reduce n.`,
      max: entry.max_n,
    });
  }
  return missing;
}

/** The largest number of models that an error names. */
const maxNamed = 3;

/** Names models that have some capabilities, such as ", such as gpt-image-2.6-flare"; empty without one. */
function nameCapable(entries: Catalogue["entries"], needed: readonly ModelCapability[]): string {
  const capable = entries.filter(
    (one) => !isRetired(one) && needed.every((need) => supportsCapability(one, need)),
  );
  if (capable.length === 0) return "";
  return `, such as ${capable
    .slice(0, maxNamed)
    .map(({ id }) => id)
    .join(", ")}`;
}

function findMissing(
  entry: CatalogueEntry,
  aspectRatio: string,
  imageSize: string,
  { referenceImages, operation = "image" }: Pick<ModelRequest, "referenceImages" | "operation">,
): MissingCapability[] {
  const imageSizes = Object.keys(entry.prices_eur);
  const max = maxReferencesFor(entry, operation);
  const missing: MissingCapability[] = [];
  if (!entry.aspect_ratios.includes(aspectRatio)) {
    missing.push({
      path: "aspect_ratio",
      code: "unsupported_aspect_ratio",
      message: `${entry.id} has no aspect ratio ${aspectRatio}. Use one of ${entry.aspect_ratios.join(", ")}.`,
      supported: entry.aspect_ratios,
    });
  }
  if (!imageSizes.includes(imageSize)) {
    missing.push({
      path: "image_size",
      code: "unsupported_image_size",
      message: `${entry.id} has no image size ${imageSize}. Use one of ${imageSizes.join(", ")}.`,
      supported: imageSizes,
    });
  }
  if (referenceImages > max) {
    missing.push({
      path: operation === "combine" ? "images" : "reference_images",
      code: "references_not_supported",
      message: describeTooManyReferences(entry.id, max, operation),
      max,
    });
  }
  return missing;
}

function describeTooManyReferences(model: string, max: number, operation: Operation): string {
  if (max > 0) {
    return `${model} accepts at most ${max} reference ${max === 1 ? "image" : "images"}. Send fewer, or use a model with a larger max_reference_images.`;
  }
  const advice =
    operation === "combine"
      ? "Use a model whose supports_combine is true."
      : "Omit reference_images, or use a model whose supports_references is true.";
  return `${model} does not support reference images. ${advice}`;
}
