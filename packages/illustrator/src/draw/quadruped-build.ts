import type { Colour } from "../colour.ts";
import type { Point } from "../geometry.ts";

/** The build of a four-legged animal, facing right; units of a drawing about 100 high. */
export interface Build {
  readonly leg: number;
  readonly legWidth: number;
  readonly length: number;
  readonly depth: number;
  /** How far the belly rises towards the back, as a share of the depth. */
  readonly tuck: number;
  /** From the withers to the head. */
  readonly neck: Point;
  readonly neckWidth: readonly [number, number];
  /** From the head to the tip of the muzzle. */
  readonly muzzle: Point;
  readonly headWidth: readonly [number, number];
  readonly ears: "pointed" | "floppy" | "round" | "long" | "leaf";
  readonly tail: "brush" | "tassel" | "hair" | "curl" | "stub" | "whip" | "wag";
  readonly hoofs: boolean;
  readonly coats: readonly Colour[];
  /** Colour of belly, muzzle and tail tip, or null for none. */
  readonly pale: Colour | null;
  readonly marks: "none" | "stripes" | "spots" | "patches" | "fleece" | "socks";
  readonly crest:
    | "none"
    | "mane"
    | "ruff"
    | "antlers"
    | "horns"
    | "curved-horns"
    | "horn"
    | "hump"
    | "ossicones";
  readonly nose: Colour;
}

/** Positions for a scarf, a hat or a rider. */
interface Anchors {
  readonly head: Point;
  readonly neck: Point;
  readonly back: Point;
}

/** The anchors of a build. */
export function anchorsOf(build: Build): Anchors {
  const top = -(build.leg + build.depth);
  const withers: Point = [build.length * 0.36, top + build.depth * 0.26];
  return {
    head: [withers[0] + build.neck[0], withers[1] + build.neck[1] - build.headWidth[0] * 0.45],
    neck: [withers[0] + build.neck[0] * 0.55, withers[1] + build.neck[1] * 0.55],
    back: [-build.length * 0.02, top + 4],
  };
}
