import type { Colour } from "./colour.ts";
import type { Look } from "./look.ts";
import type { Time, Weather } from "./air.ts";
import type { Season } from "./ground.ts";
import type { StyleName } from "./styles.ts";
import type { Pose } from "./draw/person/limbs.ts";

/** A side of the picture: -1 left, 1 right, 0 wherever it looks best. */
export type Side = -1 | 0 | 1;

/** Something to draw, of the subjects' catalogue. */
export interface Thing {
  /** The family of its word. */
  readonly family: string;
  readonly kind: string;
  readonly count: number;
  readonly colours: readonly Colour[];
  readonly size: number;
  readonly side: Side;
  /** Up in the air, wherever it usually is. */
  readonly flying: boolean;
  /** Colours said of its parts, such as roof and sail. */
  readonly parts: ReadonlyMap<string, Colour>;
}

/** Somebody to draw. */
export interface Figure {
  readonly look: Look;
  readonly pose: Pose;
  /** The index of the thing that they are in or on; null when they stand by themselves. */
  readonly on: number | null;
  readonly side: Side;
  /** Up in the air. */
  readonly flying: boolean;
}

/** The kinds of background. */
export type Place =
  | {
      readonly kind: "outdoors";
      readonly land: ReadonlySet<string>;
      readonly town: "city" | "village" | null;
    }
  /** A table from near, with what is on it. */
  | { readonly kind: "tabletop" }
  | {
      readonly kind: "room";
      readonly room: string;
      /** The colour that was said of its furniture. */
      readonly colour: Colour | null;
      /** Somebody is said to be on its furniture. */
      readonly onFurniture: boolean;
    };

/** A prompt as the illustrator understands it. */
export interface Scene {
  readonly place: Place;
  readonly time: Time;
  readonly weather: Weather;
  readonly season: Season;
  readonly sky: ReadonlySet<string>;
  readonly things: readonly Thing[];
  /** Things that belong to the place rather than to what happens there. */
  readonly fixtures: readonly Thing[];
  readonly figures: readonly Figure[];
  /** The prompt says that nobody, or something, is not there. */
  readonly empty: boolean;
  readonly style: StyleName;
  /** One person on a plain background. */
  readonly portrait: "bust" | "full" | null;
  /** The place was described on its own, and looks the same in every scene that is set there. */
  readonly located: boolean;
  /** Seeds the layout and colours of the place. */
  readonly placeSeed: number;
  /** Seeds everything else. */
  readonly seed: number;
}
