import { shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { oval, smooth } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";
import { birdEye } from "./bird-eye.ts";

/** A flying bird seen from the side, wings up, such as a gull or an eagle; centred on (0, 0). */
function drawFlyingBird(brush: Brush, usual: readonly Colour[], tip: Colour, beak: Colour): string {
  const { pen } = brush;
  const coat = mainColour(brush, usual);
  const far = "M2 -4C10 -40 34 -66 66 -74C52 -50 40 -22 22 4Z";
  const near = "M-12 -2C-22 -36 -50 -58 -86 -56C-66 -40 -50 -14 -26 10Z";
  return (
    pen.fill(far, shade(coat, -0.09)) +
    pen.fill("M66 -74C58 -62 54 -54 49 -44L40 -58Z", tip) +
    pen.fill("M-54 16L-92 20L-80 32L-46 26Z", shade(coat, -0.05)) +
    pen.fill(
      smooth([
        [-60, 20],
        [-20, -6],
        [24, -8],
        [50, -6],
        [60, 4],
        [44, 16],
        [0, 26],
        [-40, 28],
      ]),
      coat,
    ) +
    pen.fill(
      smooth([
        [-40, 27],
        [0, 14],
        [46, 14],
        [20, 23],
        [0, 26],
      ]),
      "#2a2038",
      0.12,
    ) +
    pen.fill(near, shade(coat, -0.03)) +
    pen.fill("M-86 -56C-76 -48 -68 -40 -62 -32L-50 -50Z", tip) +
    pen.fill("M58 -1L78 5L58 9Z", beak) +
    birdEye(brush, 49, 0, 3)
  );
}

/** A gull in flight. */
export function drawGull(brush: Brush): string {
  return drawFlyingBird(brush, ["#f6f5f0"], "#5a606b", "#eaa53c");
}

/** A crow in flight. */
export function drawCrow(brush: Brush): string {
  return drawFlyingBird(brush, ["#35343d"], "#24232b", "#4a4a52");
}

/** An eagle in flight. */
export function drawEagle(brush: Brush): string {
  return (
    drawFlyingBird(brush, ["#7a5538"], "#4a3428", "#eab33c") +
    brush.pen.fill(oval(48, 1, 11, 10), "#f6f2e8") +
    brush.pen.fill("M57 -2L72 4L64 12L56 7Z", "#eab33c") +
    birdEye(brush, 51, -1, 2.6)
  );
}

/** A bat in flight. */
export function drawBat(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#4a4258", "#3f3a4a"]);
  return (
    pen.fill(
      "M0 -8C-22 -40 -54 -40 -88 -20Q-70 -18 -66 2Q-52 -8 -42 8Q-28 -4 -18 16L0 10L18 16Q28 -4 42 8Q52 -8 66 2Q70 -18 88 -20C54 -40 22 -40 0 -8Z",
      coat,
    ) +
    pen.fill(oval(0, 4, 13, 19), shade(coat, -0.05)) +
    pen.fill("M-10 -12L-12 -32L0 -20L12 -32L10 -12Z", coat) +
    pen.light(oval(-4.6, -9, 2.4) + oval(4.6, -9, 2.4), "#ffe9a8")
  );
}
