import type { Strictness } from "@atelier/schemas";
import type { ModerationCategory } from "./policy.ts";

export interface ModerationText {
  /**
   * Location in the request: `prompt`, `scenes.2.prompt`. A `description` is read with the `name`
   * beside it, and a `negative_prompt` as what the image must not show. Metadata is never passed.
   */
  readonly path: string;
  readonly text: string;
  /**
   * For a prompt that the service composed: the paths of the client's texts that it is made of. Its
   * own `path` is that of the text that the image is made for.
   */
  readonly composedOf?: readonly string[];
}

export interface ModerationRequest {
  readonly texts: readonly ModerationText[];
  readonly strictness: Strictness;
  /**
   * Whether the client supplied any image that the result is made from: a reference, an image to
   * edit or combine, a mask's original, an upload. It may show a real person, so orders to undress
   * or sexualise get 451, also without a name in the texts.
   */
  readonly hasClientImages: boolean;
}

/** Words of a client that an uncertain refusal rests on. */
export interface QuotedWords {
  /** As the client wrote them. */
  readonly written: string;
  /** The word of the vocabulary that they were read as; null when they were read as written. */
  readonly readAs: string | null;
}

export type ModerationVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /**
       * `certain` is final. `uncertain` is a match that may be innocent: a remote model decides it, and
       * without one it is refused with `content_policy_violation`, also in a category of the legal floor.
       */
      readonly certainty: "certain" | "uncertain";
      readonly code: "content_policy_violation" | "content_illegal";
      readonly category: ModerationCategory;
      readonly path: string;
      /** Further texts that the match rests on. Default: none. */
      readonly otherPaths?: readonly string[];
      /** For an uncertain refusal, what it rests on; empty for a certain one. */
      readonly quoted: readonly QuotedWords[];
    };
