import { oval } from "../geometry.ts";
import type { Brush } from "./brush.ts";

/** Draws eyes at these positions, with a coloured iris if given. */
export function eyes(
  brush: Brush,
  spots: readonly (readonly [number, number])[],
  size: number,
  iris?: string,
): string {
  const { pen } = brush;
  return spots
    .map(
      ([x, y]) =>
        (iris === undefined ? "" : pen.fill(oval(x, y, size * 1.35, size * 1.45), iris, 0.98)) +
        pen.fill(oval(x, y, iris === undefined ? size : size * 0.62, size * 1.2), "#221c1e", 0.98) +
        pen.light(oval(x + size * 0.34, y - size * 0.45, size * 0.36), "#ffffff"),
    )
    .join("");
}
