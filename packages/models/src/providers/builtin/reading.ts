import type { Pose } from "./draw/person/limbs.ts";
import type { Look } from "./look.ts";
import type { Mention } from "./read-words.ts";
import type { Side, Thing } from "./scene.ts";

/** Somebody of whom more may be said. */
export interface Person {
  readonly look: Look | null;
  /** The words for who they are, and for how they look where that is open. */
  readonly group: Mention[];
  /** The sentence in which they were last spoken of. */
  sentence: number;
  pose: Pose;
  on: number | null;
  held: Mention | null;
  /** Something is said to be in their hands. */
  handling: boolean;
  side: Side;
  flying: boolean;
}

/** A thing of which more may be said. */
export type OpenThing = { -readonly [Key in keyof Thing]: Thing[Key] } & {
  parts: Map<string, string>;
};

/** What has been read so far. */
export interface Reading {
  readonly looks: readonly Look[];
  readonly things: OpenThing[];
  readonly people: Person[];
  readonly named: Map<number, Person>;
  /** Who the clause is about: poses, things in the hand and seats go to them. */
  clause: Person[];
  /** Something was said of the clause's people: who comes next begins a new clause. */
  said: boolean;
  lastName: Mention | null;
  lastThing: Mention | null;
  lastPose: Mention | null;
  /** Words for clothes and hair of which it is not yet known whose they are. */
  loose: Mention[];
}

/** Somebody is spoken of: alone, or with those of whom nothing was said yet. */
export function enter(reading: Reading, person: Person): void {
  reading.clause = reading.said ? [person] : [...reading.clause, person];
  reading.said = false;
}

/** Somebody of whom nothing more is known yet. */
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

/** How many a word means: `usual` for a plural without a number. */
export function howMany({ count, plural }: Mention, usual: number, most: number): number {
  if (count !== null && (count > 1 || !plural)) return Math.min(most, count);
  return plural ? usual : 1;
}

/** True for a word that only says who a named character is: "Mira, a girl …", "the girl". */
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
