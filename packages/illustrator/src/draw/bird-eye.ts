import { oval } from "../geometry.ts";
import type { Brush } from "./brush.ts";

/** A dark eye with a highlight. */
export function birdEye(brush: Brush, x: number, y: number, size: number): string {
  return (
    brush.pen.fill(oval(x, y, size), "#221c1e", 0.98) +
    brush.pen.light(oval(x + size * 0.3, y - size * 0.35, size * 0.36), "#ffffff")
  );
}
