import type { Air } from "../air.ts";
import type { Ground } from "../ground.ts";
import type { Pen } from "../pen.ts";

/** The sheet that a picture is composed on. Units: an area of 1024², whatever the pixels. */
export interface Canvas {
  readonly pen: Pen;
  readonly width: number;
  readonly height: number;
  /** The length that sizes of subjects are shares of. */
  readonly unit: number;
}

/** The light and ground that subjects are drawn in. */
export interface Surroundings {
  readonly air: Air;
  readonly ground: Ground;
}
