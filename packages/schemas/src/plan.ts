import type { ErrorDetails } from "./errors.ts";
import type { Strictness } from "./requests.ts";

/**
 * What a render has to draw, as it is stored with the render. It is written and read by this code
 * only, so it is a type and not a schema.
 */
export interface RenderSpec {
  /** The whole prompt, as the provider gets it. */
  readonly prompt: string;
  readonly aspectRatio: string;
  readonly imageSize: string;
  /** 0 to 2³¹ − 1. */
  readonly seed: number;
  readonly references: readonly ReferenceSpec[];
  /** Of a story only: the character or location shown, the character's state, the scene's title. */
  readonly name: string | null;
  readonly state: string | null;
  readonly title: string | null;
  /**
   * Whether the client brings images of its own, for this image or another of the same request: they
   * may show real people. Images made here, of earlier renders, do not.
   */
  readonly hasClientImages: boolean;
  /** Every text of the client's that this image depends on, with its place in the request. */
  readonly texts: readonly { readonly path: string; readonly text: string }[];
}

export interface ReferenceSpec {
  readonly role: "style" | "character" | "location" | "previous-scene";
  readonly name: string | null;
  readonly description: string;
  readonly source:
    | { readonly kind: "url"; readonly url: string; readonly path: string }
    /** An image of our own storage, whose signed URL was valid when the request was accepted. */
    | { readonly kind: "stored"; readonly key: string; readonly path: string }
    | { readonly kind: "render"; readonly position: number };
}

/** Why a generation failed, as it is stored and shown. */
export interface GenerationError {
  readonly error: string;
  readonly message: string;
  readonly details: ErrorDetails;
}

export type RenderRole = "image" | "portrait" | "state" | "location" | "scene";

/** One image to make, before it has an id. */
export interface PlannedRender {
  readonly role: RenderRole;
  readonly lane: string;
  readonly model: string;
  readonly spec: RenderSpec;
  /** Positions in the plan of the renders that must be done first; each smaller than its own. */
  readonly waitsFor: readonly number[];
}

/** Everything that an accepted request will do, known before it is accepted. */
export interface GenerationPlan {
  readonly kind: "image" | "story";
  readonly model: string;
  readonly strictness: Strictness;
  /** The request as it was understood. */
  readonly request: object;
  readonly title: string | null;
  /** What it can cost at most, and does cost when it is completed. */
  readonly priceMicroEur: bigint;
  readonly renders: readonly PlannedRender[];
}

/** What the images of a generation ask of a model. */
export interface ImageDemands {
  readonly kind: "image" | "story";
  /** The most that they may cost together. */
  readonly priceMicroEur: bigint;
  readonly images: readonly {
    readonly aspectRatio: string;
    readonly imageSize: string;
    readonly referenceImages: number;
  }[];
}
