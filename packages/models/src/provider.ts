import type { ImageMediaType } from "@atelier/kit";
import type {
  AppError,
  EditTask,
  PixelSize,
  ReferenceRole,
  Task,
  ToolTask,
} from "@atelier/schemas";
import type { EngineDefaults } from "./engine-settings.ts";
import type { VendorUsage } from "./vendor-usage.ts";

/**
 * The contract between a render and the provider that produces its image.
 *
 * A provider is one file with one factory. It never retries (the queue does), honours the signal,
 * and maps every result to exactly one outcome. It throws only for a bug of its own.
 */
export interface Provider {
  /** Name of the provider and of its lane. */
  readonly name: string;
  /**
   * How to recover a call whose response was lost: fetch the result by the provider's request id,
   * repeat the call with the same idempotency key without paying twice, or repeat it with the risk
   * of paying twice.
   */
  readonly lostCall: "resume-by-request-id" | "repeat-with-same-key" | "repeat-blindly";
  generate(request: ProviderRequest, call: ProviderCall): Promise<ProviderOutcome>;
  /** Asks a server of the operator whether it works, within 5 s. Absent for vendors. */
  check?(signal: AbortSignal): Promise<ServerCheck>;
}

/** The state of a server of the operator. */
export type ServerCheck =
  | {
      readonly kind: "ok";
      /** Unfinished jobs of all its clients; null when it does not say. */
      readonly jobs: number | null;
    }
  /** It cannot be connected to: jobs in its memory are lost. */
  | { readonly kind: "gone"; readonly message: string }
  /** It does not answer, or with an error: its jobs may continue. */
  | { readonly kind: "silent"; readonly message: string };

/** The image to generate. */
export interface ProviderRequest {
  /** The provider's own model identifier. */
  readonly model: string;
  readonly prompt: string;
  /** For example `16:9`. */
  readonly aspectRatio: string;
  /** For example `1K`. */
  readonly imageSize: string;
  /**
   * The exact size of the result, of which `aspectRatio` and `imageSize` are the nearest. Only models
   * with `sizes` receive one, and no edit with a mask. Each tool receives one.
   */
  readonly pixels?: PixelSize;
  /**
   * Constant for a render. Providers that support seeds return the same image for the same request.
   */
  readonly seed: number;
  /** Describes things that the image must not show. Only models with `supports_negative_prompt` receive one. */
  readonly negativePrompt?: string | null;
  /** Presets of the model's entry and what the client set. Only engines of operators receive any. */
  readonly parameters?: EngineDefaults;
  /** Default: opaque. Only models with `supports_transparency` receive `transparent`. */
  readonly background?: "opaque" | "transparent";
  /** Default: an image of the prompt. */
  readonly task?: ProviderTask;
  readonly references: readonly ProviderReference[];
  /** Send the prompt unchanged, without adding descriptions of the references. Default false. */
  readonly rawPrompt?: boolean;
  /**
   * The `turn` that the provider returned for the previous image of the same story; null for the
   * first.
   */
  readonly previousTurn: unknown;
}

/** An operation other than making an image of the prompt. */
export type ProviderTask = Task<EditedImages>;

/**
 * With a mask, the result has exactly the size of the image, and everything outside of the mask stays as it
 * is; the adapter ensures both.
 */
export type ProviderEdit = EditTask<EditedImages>;

/** The task of a tool. The result has exactly the `pixels` of the request; the adapter ensures it. */
export type ProviderTool = ToolTask<EditedImages>;

interface EditedImages {
  readonly image: ImageFile;
  /** An opaque 8-bit grey PNG of exactly the size of the image; white marks what to change. Null without one. */
  readonly mask: Uint8Array | null;
  /**
   * An image of exactly the size of the image with drawn hints, transparent elsewhere. Default: none.
   * Only models with `supports_markup` receive one, and never beside a mask.
   */
  readonly markup?: Uint8Array | null;
}

/** A reference image. */
export interface ProviderReference {
  readonly role: ReferenceRole;
  /** Name of the character or location, if it has one. */
  readonly name: string | null;
  readonly description: string;
  readonly bytes: Uint8Array;
  readonly mediaType: ImageMediaType;
}

/** The context of one call. */
export interface ProviderCall {
  readonly signal: AbortSignal;
  /** The account of the render, for fairness among accounts. Never sent to a vendor. */
  readonly accountId?: string;
  /** Constant for the render; sent as idempotency key to providers that support one. */
  readonly key: string;
  /** Request id of an earlier call whose response was lost; null for a first call. */
  readonly resumeRequestId: string | null;
  /**
   * Must be awaited as soon as the provider's request id is known, before waiting for the result.
   */
  onRequestId(requestId: string): Promise<void>;
  /**
   * Called with what the vendor's response says about units and cost, before an outcome is returned:
   * also for refusals, unusable images and calls whose result is lost. Units and cost of several calls
   * are merged; the last value of each counts.
   */
  readonly onUsage?: (usage: VendorUsage) => void;
  /**
   * Called with how far the image is, by engines that report it. An adapter asks for progress only when
   * it is given; a failure to learn it never affects the call.
   */
  readonly onProgress?: (progress: CallProgress) => void;
}

/** How far the image of a call is. */
export interface CallProgress {
  /** From 0 to 1. */
  readonly progress: number;
  /** Sampling steps done and in all; null if unknown. */
  readonly step: number | null;
  readonly of: number | null;
}

/** Every possible outcome of a call. */
export type ProviderOutcome =
  | {
      readonly kind: "image";
      readonly image: ProviderImage;
      readonly turn: unknown;
      /** The seed of the image if the provider used one; default null. */
      readonly seed?: number | null;
      /** The image as sanitised SVG; `image` is a drawing of it. Default null. */
      readonly svg?: string | null;
    }
  /** The provider's policy refused the request. Final: no other provider is tried. */
  | {
      readonly kind: "refused";
      /** The refused part: the prompt and references, or the generated image; null if unknown. */
      readonly stage: "request" | "image" | null;
      /** Categories as the provider names them; may be empty. */
      readonly categories: readonly string[];
    }
  | { readonly kind: "rate-limited"; readonly retryAfterMs: number | null }
  /** The operator's account with the provider is out of credit. */
  | { readonly kind: "out-of-quota"; readonly message: string }
  /** The provider rejects this request; repeating it cannot succeed. */
  | {
      readonly kind: "invalid-request";
      readonly message: string;
      /** The error for the client when the request itself is wrong. Default: a general one. */
      readonly problem?: AppError;
      /** The request took so much work that its key may send fewer of them. Default false. */
      readonly wasExpensive?: boolean;
    }
  /**
   * The image was generated and charged, but in a different size; a repeated call would return the
   * same size.
   */
  | { readonly kind: "wrong-size"; readonly message: string }
  /** No image was generated; a later call may succeed. */
  | {
      readonly kind: "unavailable";
      readonly message: string;
      readonly retryAfterMs: number | null;
      /** This machine had too little CPU time, which is unrelated to the provider. Default false. */
      readonly isMachineBusy?: boolean;
    }
  /** The call may have been carried out and charged. */
  | { readonly kind: "unknown"; readonly message: string }
  /**
   * This side stopped waiting. The call may have been carried out and charged, and is only continued if the
   * provider recognises it. Adapters return it when an image stalls, and `unknown` when their signal
   * aborts: the worker knows why it did.
   */
  | { readonly kind: "timed-out"; readonly message: string };

/** The bytes of an image and their format. */
export interface ImageFile {
  readonly bytes: Uint8Array;
  readonly mediaType: ImageMediaType;
}

export interface ProviderImage extends ImageFile {
  /** Whether the image has an alpha channel. Default false. */
  readonly hasAlpha?: boolean;
  /** The provider's file when `bytes` were composited from it and it has a C2PA manifest of its own. */
  readonly original?: Uint8Array;
}
