/**
 * The contract between a render and whoever makes its image.
 *
 * A provider is one file with one factory. It never retries (the queue does), honours the signal,
 * and maps whatever happens to exactly one outcome; it throws only on a defect of its own.
 */
export interface Provider {
  /** Name of the provider, and of its lane. */
  readonly name: string;
  /**
   * What can be done about a call whose answer was lost: ask again by the provider's request id,
   * repeat it under the same key without paying twice, or only repeat it blindly.
   */
  readonly lostCall: "resume-by-request-id" | "repeat-with-same-key" | "repeat-blindly";
  generate(request: ProviderRequest, call: ProviderCall): Promise<ProviderOutcome>;
}

/** What to draw. */
export interface ProviderRequest {
  /** The provider's own identifier of the model. */
  readonly model: string;
  readonly prompt: string;
  /** For example `16:9`. */
  readonly aspectRatio: string;
  /** For example `1K`. */
  readonly imageSize: string;
  /** Stable for a render: the same request gives the same picture where the provider can. */
  readonly seed: number;
  readonly references: readonly ProviderReference[];
  /** What the provider returned as `turn` for the image before this one in the same story; null for the first. */
  readonly previousTurn: unknown;
}

export type ReferenceRole = "style" | "character" | "location" | "previous-scene";

/** An image the model may look at. */
export interface ProviderReference {
  readonly role: ReferenceRole;
  /** Name of the character or location, where it has one. */
  readonly name: string | null;
  readonly description: string;
  readonly bytes: Uint8Array;
  readonly mediaType: "image/png" | "image/jpeg" | "image/webp";
}

/** The circumstances of one call. */
export interface ProviderCall {
  readonly signal: AbortSignal;
  /** Stable for the render: an idempotency key for providers that take one. */
  readonly key: string;
  /** The request id of an earlier call whose answer was lost; null for a first call. */
  readonly resumeRequestId: string | null;
  /** To be awaited as soon as the provider's request id is known, before waiting for its result. */
  onRequestId(requestId: string): Promise<void>;
}

/** Everything that can come of a call. */
export type ProviderOutcome =
  | { readonly kind: "image"; readonly image: ProviderImage; readonly turn: unknown }
  /** The provider's own policy said no. Final: it is not tried elsewhere. */
  | {
      readonly kind: "refused";
      /** What was refused: the prompt and references, or the image made of them; null if not said. */
      readonly stage: "request" | "image" | null;
      /** In the provider's own words; empty if it gives none. */
      readonly categories: readonly string[];
    }
  | { readonly kind: "rate-limited"; readonly retryAfterMs: number | null }
  /** The operator's account with the provider is out of credit. */
  | { readonly kind: "out-of-quota"; readonly message: string }
  /** The provider does not take this request, whoever repeats it. */
  | { readonly kind: "invalid-request"; readonly message: string }
  /** It was made and is paid for, in another size than was asked for, as a repeated call would be. */
  | { readonly kind: "wrong-size"; readonly message: string }
  /** Nothing was made; a later call may succeed. */
  | { readonly kind: "unavailable"; readonly message: string; readonly retryAfterMs: number | null }
  /** The call may or may not have been carried out and paid for. */
  | { readonly kind: "unknown"; readonly message: string };

export interface ProviderImage {
  readonly bytes: Uint8Array;
  readonly mediaType: "image/png" | "image/jpeg" | "image/webp";
}
