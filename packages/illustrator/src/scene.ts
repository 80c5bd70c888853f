import type { Colour } from "./colour.ts";
import type { Look } from "./look.ts";
import type { Time, Weather } from "./air.ts";
import type { Season } from "./ground.ts";
import type { StyleName } from "./styles.ts";
import type { Pose } from "./draw/person/limbs.ts";

/** A side of the picture: -1 left, 1 right, 0 any. */
export type Side = -1 | 0 | 1;

/** A thing to draw, from the catalogue of subjects. */
export interface Thing {
  /** The family of its word. */
  readonly family: string;
  readonly kind: string;
  readonly count: number;
  readonly colours: readonly Colour[];
  readonly size: number;
  readonly side: Side;
  /** In the air, whatever its usual zone. */
  readonly flying: boolean;
  /** Described colours of its parts, such as roof and sail. */
  readonly parts: ReadonlyMap<string, Colour>;
}

/** A person or character to draw. */
export interface Figure {
  readonly look: Look;
  readonly pose: Pose;
  /** Index of the thing that they are in or on; null if they stand alone. */
  readonly on: number | null;
  readonly side: Side;
  /** In the air. */
  readonly flying: boolean;
}

/** The mood of an abstract composition. */
export type Mood = "calm" | "lively" | "dark";

/** The kinds of background. */
export type Place =
  | {
      readonly kind: "outdoors";
      readonly land: ReadonlySet<string>;
      readonly town: "city" | "village" | null;
    }
  /** Shapes and colours only, for a prompt that names nothing drawable. */
  | { readonly kind: "abstract"; readonly colours: readonly Colour[]; readonly mood: Mood | null }
  /** A close-up of a table and the things on it. */
  | { readonly kind: "tabletop" }
  | {
      readonly kind: "room";
      readonly room: string;
      /** The described colour of its furniture. */
      readonly colour: Colour | null;
      /** Somebody is described as being on its furniture. */
      readonly onFurniture: boolean;
    };

/** The scene that a prompt describes. */
export interface Scene {
  readonly place: Place;
  readonly time: Time;
  readonly weather: Weather;
  readonly season: Season;
  readonly sky: ReadonlySet<string>;
  readonly things: readonly Thing[];
  /** Things that belong to the place rather than to the action. */
  readonly fixtures: readonly Thing[];
  readonly figures: readonly Figure[];
  /** The prompt excludes people or things. */
  readonly empty: boolean;
  readonly style: StyleName;
  /** A single person on a plain background. */
  readonly portrait: "bust" | "full" | null;
  /** The place has its own description, and looks the same in every scene set there. */
  readonly located: boolean;
  /** Seeds the layout and colours of the place. */
  readonly placeSeed: number;
  /** Seeds everything else. */
  readonly seed: number;
}
