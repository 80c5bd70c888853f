import type { Colour } from "./colour.ts";
import type { Side } from "./scene.ts";
import type { Family } from "./vocabulary/index.ts";

/** A recognised word of the prompt with its modifiers. */
export interface Mention {
  /** `name` for a name that the caller asked for; its kind is the name's index. */
  readonly family: Family | "name";
  readonly kind: string;
  /** Described colours, in order. */
  readonly colours: Colour[];
  /** The count, if given. */
  readonly count: number | null;
  readonly plural: boolean;
  /** Scale of its usual size. */
  readonly size: number;
  readonly definite: boolean;
  /** The described side of the picture. */
  side: Side;
  /** Described as flying. */
  flying: boolean;
  /** Adjectives and other unknown words directly before it. */
  readonly adjectives: readonly string[];
  /** The preposition between the previous mention and this one; empty if none. */
  readonly relation: string;
  readonly sentence: number;
  /** Position among the words of the text. */
  readonly position: number;
}

/** A mention without any modifiers. */
export function plainMention(
  noun: { family: Mention["family"]; kind: string },
  position: number,
  sentence: number,
): Mention {
  return {
    ...noun,
    colours: [],
    count: null,
    plural: false,
    size: 1,
    definite: false,
    side: 0,
    flying: false,
    adjectives: [],
    relation: "",
    sentence,
    position,
  };
}
