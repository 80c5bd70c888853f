import { encodeCost, type Claim, type EarlierCall } from "@atelier/generations/claims";
import {
  mergeParameters,
  operationOf,
  priceCall,
  type Catalogue,
  type Currency,
  type PricedCall,
  type ProviderOutcome,
  type VendorUsage,
} from "@atelier/models";
import { countReferenceImages, type PixelSize } from "@atelier/schemas";

/** The facts that determine the price of a model's calls. */
interface Prices {
  readonly catalogue: Catalogue;
  /** Null without EUR_PER_USD. */
  readonly microEurPerUsd: bigint | null;
}

/** Returns the pixels that a render asks its model for; null when the vendor chooses them. */
export function requestedPixels(
  { model, spec }: Pick<Claim, "model" | "spec">,
  catalogue: Pick<Catalogue, "pixelsOf">,
): PixelSize | null {
  const { aspectRatio, imageSize, pixels } = spec;
  const planned = catalogue
    .pixelsOf(model)
    .find((one) => one.aspect_ratio === aspectRatio && one.image_size === imageSize);
  return pixels ?? planned ?? null;
}

/** Prices a call for a render by the catalogue's present prices. Pure. */
export function priceRenderCall(
  { kind, model, spec }: Pick<Claim, "kind" | "model" | "spec">,
  outcome: ProviderOutcome["kind"],
  usage: VendorUsage,
  { catalogue, microEurPerUsd }: Prices,
): PricedCall {
  const entry = catalogue.entryOf(model);
  const { imageSize, parameters } = spec;
  return priceCall(
    entry,
    {
      outcome,
      usage,
      operation: operationOf({ kind, capabilities: spec.capabilities }),
      imageSize,
      references: countReferenceImages(spec) + (spec.task?.kind === "edit" ? 1 : 0),
      steps: mergeParameters(entry?.defaults ?? {}, parameters).steps ?? null,
      pixels: requestedPixels({ model, spec }, catalogue),
    },
    microEurPerUsd,
  );
}

/** Returns the vendor's statement about a call when it accepted it, for the attempt that resumes it. */
export function usageOf(call: Pick<EarlierCall, "units" | "reportedCost">): VendorUsage {
  const { reportedCost, units } = call;
  return {
    ...(units !== null && { units }),
    ...(reportedCost !== null && {
      cost: { micro: reportedCost.micro, currency: reportedCost.currency as Currency },
    }),
  };
}

/**
 * Whether the cost of an image is staged with it: when it is an amount, whose price may have changed
 * before a later attempt uses the image, or when the vendor has stated anything.
 *
 * @param again the cost that the later attempt would compute of what this service counts itself.
 */
export function mustBeStaged(cost: PricedCall, again: PricedCall): boolean {
  return (cost.micro ?? 0n) > 0n || encodeCost(cost) !== encodeCost(again);
}

/**
 * Whether an attempt counts the cost of its call in the metrics, where a call that later attempts resume
 * counts once: when the vendor has stated its cost, or otherwise when it has ended. A stated cost counts
 * although no attempt may get the image.
 *
 * @param isOpen whether the next attempt may resume the call.
 * @param earlier the vendor's statement before this attempt.
 * @param usage its statement now.
 */
export function countsCost(isOpen: boolean, earlier: VendorUsage, usage: VendorUsage): boolean {
  if (earlier.cost !== undefined) return false;
  return !isOpen || usage.cost !== undefined;
}
