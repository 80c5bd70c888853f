import type { Air } from "../air.ts";
import type { Ground } from "../ground.ts";
import type { Pen } from "../pen.ts";

/**
 * The area that a picture is composed on. Units: an area of 1024², independent of the pixel size.
 */
export interface Canvas {
  readonly pen: Pen;
  readonly width: number;
  readonly height: number;
  /** Base length: subject sizes are shares of it. */
  readonly unit: number;
}

/** The light and ground around subjects. */
export interface Surroundings {
  readonly air: Air;
  readonly ground: Ground;
}
