import { oval } from "../geometry.ts";
import type { Pen } from "../pen.ts";

/**
 * A soft shadow on the ground, centred on (x, y).
 *
 * @param halfWidth half of the shadow's width.
 */
export function drawShadow(pen: Pen, x: number, y: number, halfWidth: number): string {
  return pen.light(
    oval(x, y, halfWidth, Math.max(4, halfWidth * 0.12)),
    pen.radial([
      [0, "#1c1830", 0.42],
      [0.6, "#1c1830", 0.24],
      [1, "#1c1830", 0],
    ]),
  );
}
