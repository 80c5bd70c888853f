import type { RenderSpec, Strictness } from "@atelier/schemas";

/** The inputs of a plan besides the request itself. */
export interface PlanFacts {
  readonly model: PlanModel;
  /** One of the model's sizes: the requested one or the default. */
  readonly imageSize: string;
  /** Resolved: the request's strictness or the account's. */
  readonly strictness: Strictness;
  readonly pricePerImageMicroEur: bigint;
  /** 0 to 2³² − 1. */
  readonly seed: number;
  /** Options of all images. Default: none. */
  readonly options?: Pick<
    RenderSpec,
    "negativePrompt" | "background" | "capabilities" | "output" | "parameters"
  >;
}

/** The properties of the model that a plan uses. */
export interface PlanModel {
  readonly id: string;
  readonly lane: string;
  readonly imageSizes: readonly string[];
  readonly aspectRatios: readonly string[];
  readonly defaultAspectRatio: string;
  /** Maximum number of reference images in one call. */
  readonly maxReferenceImages: number;
}
