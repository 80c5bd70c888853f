import type { Ridge } from "../draw/land.ts";
import type { Celestial } from "../draw/celestial.ts";
import type { Stage } from "../draw/stage.ts";
import type { Stream } from "../draw/water.ts";
import type { Scene } from "../scene.ts";

/** The parts of a landscape. */
export interface Landscape {
  readonly stage: Stage;
  readonly scene: Scene;
  readonly town: "city" | "village" | null;
  readonly celestial: Celestial;
  /** Whether subjects need land at the near side of the water. */
  readonly needsShore: boolean;
  /** Whether the prompt names one of these kinds of land. */
  readonly has: (...kinds: string[]) => boolean;
  /** Colours of the ground, from near to far. */
  readonly cover: Stage["ground"]["cover"];
  readonly water: "sea" | "lake" | null;
  readonly isDesert: boolean;
  /** No kind of land and no town was named. */
  readonly isUnspecified: boolean;
}

/** A landscape in layers, with the places where things can stand. */
export interface Terrain {
  /** Replaces the sky in scenes without one, such as under water; otherwise null. */
  readonly sky: string | null;
  /** Everything behind the middle distance. */
  readonly back: string;
  /** The near ground, in front of the middle distance. */
  readonly front: string;
  /** Drawn over the feet of all subjects: grass and flowers at the bottom edge. */
  readonly edge: string;
  /** Ground line of things in the middle distance. */
  readonly middle: Ridge;
  /** Things in the middle distance stand on the near ground, behind `front`. */
  readonly middleOnFront: boolean;
  /** Upper edge of the near ground. */
  readonly near: Ridge;
  /** Top and bottom of the water, or null. */
  readonly water: readonly [top: number, bottom: number] | null;
  /** The near part of a river, or null. */
  readonly stream: Stream | null;
  /** A raised place for one building, or null. */
  readonly headland: { readonly x: number; readonly y: number } | null;
}
