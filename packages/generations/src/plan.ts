import type { ImageFormat, RenderRole, RenderSpec, Strictness } from "@atelier/schemas";

/** A render as a worker gets it, with the number that fences what it writes. */
export interface Claim {
  readonly renderId: string;
  readonly attempt: number;
  /** Claims that were used up, this one included. */
  readonly tries: number;
  readonly generationId: string;
  readonly accountId: string;
  readonly kind: "image" | "story";
  readonly strictness: Strictness;
  readonly role: RenderRole;
  readonly position: number;
  readonly lane: string;
  readonly model: string;
  readonly spec: RenderSpec;
  readonly deadlineAt: Date;
  /** The database's time until the deadline when it was claimed. */
  readonly remainingMs: number;
}

/** An image file that was made and is stored. */
export interface StoredImage {
  readonly format: ImageFormat;
  readonly storageKey: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
}

/** What came of a call to a provider, as it is stored. */
export type RecordedOutcome =
  | "image"
  | "refused"
  | "rate_limited"
  | "out_of_quota"
  | "invalid_request"
  | "unavailable"
  | "unknown";
