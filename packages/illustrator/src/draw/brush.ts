import type { Colour } from "../colour.ts";
import type { Ground } from "../ground.ts";
import type { Pen } from "../pen.ts";
import type { Random } from "../random.ts";

/** Everything that drawing one subject needs. */
export interface Brush {
  readonly pen: Pen;
  readonly random: Random;
  readonly ground: Ground;
  /** Windows and lamps are lit. */
  readonly lit: boolean;
  /** The colours described for the subject. */
  readonly colours: readonly Colour[];
  /** The colours described for its parts. */
  readonly parts: ReadonlyMap<string, Colour>;
}

/**
 * Draws a subject 100 units high, standing on (0, 0), or centred on (0, 0) if it floats or flies.
 */
export type DrawSubject = (brush: Brush) => string;

/**
 * The first described colour, or a random one of the usual ones. Always consumes one random number.
 */
export function mainColour(brush: Brush, usual: readonly Colour[]): Colour {
  const chosen = brush.random.pick(usual);
  return brush.colours[0] ?? chosen;
}
