import { mix, underLight } from "../colour.ts";
import type { Colour } from "../colour.ts";
import type { Air } from "../air.ts";
import type { Ground, Season } from "../ground.ts";
import type { Pen } from "../pen.ts";
import type { Random } from "../random.ts";

/** Everything that drawing a landscape needs. Units: the picture's, an area of 1024². */
export interface Stage {
  readonly pen: Pen;
  readonly width: number;
  readonly height: number;
  /** y of the horizon. */
  readonly horizon: number;
  readonly air: Air;
  readonly ground: Ground;
  readonly season: Season;
  /** Random source for the layout of the place. */
  readonly random: Random;
}

/** Returns a land colour in the scene's light, fading into haze with distance (0 near, 1 far). */
export function inAir(stage: Stage, colour: Colour, distance: number): Colour {
  return mix(underLight(colour, stage.air.ambient), stage.air.haze, distance);
}
