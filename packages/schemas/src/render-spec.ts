import type { ErrorDetails } from "./errors.ts";

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
  /** Every text of the client's that this image depends on, with its place in the request. */
  readonly texts: readonly { readonly path: string; readonly text: string }[];
}

export interface ReferenceSpec {
  readonly role: "style" | "character" | "location" | "previous-scene";
  readonly name: string | null;
  readonly description: string;
  readonly source:
    | { readonly kind: "url"; readonly url: string; readonly path: string }
    | { readonly kind: "render"; readonly position: number };
}

/** Why a generation failed, as it is stored and shown. */
export interface GenerationError {
  readonly error: string;
  readonly message: string;
  readonly details: ErrorDetails;
}
