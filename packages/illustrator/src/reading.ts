import type { Pose } from "./draw/person/limbs.ts";
import type { Look } from "./look.ts";
import type { Mention } from "./mention.ts";
import type { Side, Thing } from "./scene.ts";

/** A person that later words may describe further. */
export interface Person {
  readonly look: Look | null;
  /** The words for their kind, and for their appearance where it is open. */
  readonly group: Mention[];
  /** The sentence that mentioned them last. */
  sentence: number;
  pose: Pose;
  on: number | null;
  held: Mention | null;
  /** They are described as holding something. */
  handling: boolean;
  side: Side;
  flying: boolean;
}

/** A thing that later words may describe further. */
export type OpenThing = { -readonly [Key in keyof Thing]: Thing[Key] } & {
  parts: Map<string, string>;
};

/** State of reading a text. */
export interface Reading {
  readonly looks: readonly Look[];
  readonly things: OpenThing[];
  readonly people: Person[];
  readonly named: Map<number, Person>;
  /** The subjects of the clause: poses, held things and seats apply to them. */
  clause: Person[];
  /** The clause has a predicate: the next person starts a new clause. */
  said: boolean;
  lastName: Mention | null;
  lastThing: Mention | null;
  lastPose: Mention | null;
  /** Words for clothes and hair whose wearer is not known yet. */
  loose: Mention[];
}

/** Adds a person to the clause, or starts a new clause if this one has a predicate. */
export function enter(reading: Reading, person: Person): void {
  reading.clause = reading.said ? [person] : [...reading.clause, person];
  reading.said = false;
}

/** Creates a person without further details. */
export function personOf(look: Look | null, group: Mention[], mention: Mention | null): Person {
  return {
    look,
    group,
    sentence: mention?.sentence ?? -1,
    pose: "stand",
    on: null,
    held: null,
    handling: false,
    side: mention?.side ?? 0,
    flying: mention?.flying ?? false,
  };
}

/** The number that a word means; `usual` for a plural without a number. */
export function howMany({ count, plural }: Mention, usual: number, most: number): number {
  if (count !== null && (count > 1 || !plural)) return Math.min(most, count);
  return plural ? usual : 1;
}

/** True for a word that only identifies a named character: "Mira, a girl …", "the girl". */
export function isCharacter({ looks, lastName }: Reading, mention: Mention): boolean {
  if (looks.length === 0) return false;
  if (
    mention.family === "animal" &&
    !looks.some((look) => look.figure === "animal" && look.kind === mention.kind)
  )
    return false;
  if (mention.definite) return true;
  const single = !mention.plural && (mention.count ?? 1) === 1;
  return (
    single &&
    lastName !== null &&
    lastName.sentence === mention.sentence &&
    mention.position - lastName.position <= 5
  );
}
