import type { Pen } from "../pen.ts";
import type { Random } from "../random.ts";
import type { Inks } from "./inks.ts";

/** Draws one family of ornament over a width and height. */
export type DrawOrnament = (
  pen: Pen,
  inks: Inks,
  random: Random,
  width: number,
  height: number,
) => string;
