import type { AnyConcept } from "./any-concept.ts";
import type { ModerationCategory } from "./policy.ts";

/** Something that must stand near the first concept of a rule. */
export interface Companion {
  readonly any: readonly AnyConcept[];
  /** Most tokens between it and the first; without it, anywhere in the text. */
  readonly within?: number;
  /** After the first, not before it. */
  readonly forward?: boolean;
  /** So many different words of it. */
  readonly different?: number;
}

/** Something that excuses the first concept of a rule. */
export interface Excuse {
  readonly any: readonly AnyConcept[];
  /** Most tokens between it and the first; without it, any text of the request will do. */
  readonly within?: number;
  /** Only before it: "against racism" excuses, "racism against" does not. */
  readonly before?: boolean;
  /** Most tokens after the first, where that is less than before it. */
  readonly after?: number;
  /** Excuses nothing when one of these ends right before the first: "drawing of …". */
  readonly unlessAfter?: readonly AnyConcept[];
  /** Excuses nothing when one of these begins right after the first: "…の絵". */
  readonly unlessBefore?: readonly AnyConcept[];
  /** Excuses nothing when one of these touches the first: "photo" and "abuse", in any order. */
  readonly unlessBeside?: readonly AnyConcept[];
}

export interface Rule {
  readonly category: ModerationCategory;
  /** Policy beyond the law: `normal` only. */
  readonly normalOnly?: boolean;
  readonly any: readonly AnyConcept[];
  readonly near?: readonly Companion[];
  readonly unless?: readonly Excuse[];
  /** Excuses that make a match uncertain instead of certain. */
  readonly softens?: readonly Excuse[];
  /** Applies when the request has reference images. */
  readonly references?: boolean;
  /** Also applies when the first concept and its companion stand in different texts of a request. */
  readonly acrossTexts?: boolean;
}
