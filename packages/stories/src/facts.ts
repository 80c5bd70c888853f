import type { Strictness } from "@atelier/schemas";

/** What the plan of a story or scene has to know beside the request itself. */
export interface PlanFacts {
  readonly model: PlanModel;
  /** One of the model's: the request's, or else the default. */
  readonly imageSize: string;
  /** Already resolved: the request's, or else the account's. */
  readonly strictness: Strictness;
  readonly pricePerImageMicroEur: bigint;
  /** 0 to 2³¹ − 1. */
  readonly seed: number;
}

/** What a plan needs of the model that makes its images. */
export interface PlanModel {
  readonly id: string;
  readonly lane: string;
  readonly imageSizes: readonly string[];
  readonly aspectRatios: readonly string[];
  readonly defaultAspectRatio: string;
  /** How many images the model looks at in one call at most. */
  readonly maxReferenceImages: number;
}
