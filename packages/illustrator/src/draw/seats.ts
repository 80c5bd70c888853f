import { shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { box, oval } from "../geometry.ts";
import type { Pen } from "../pen.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";

/** A sofa with cushions, 212 units high. */
export function sofaShape(pen: Pen, cloth: Colour, accent: Colour, wood: Colour): string {
  const arms = box(-196, -152, 62, 130, 28) + box(134, -152, 62, 130, 28);
  return (
    pen.fill(box(-150, -28, 18, 28) + box(132, -28, 18, 28), wood) +
    pen.fill(box(-160, -212, 320, 170, 34), cloth) +
    pen.fill(box(-136, -118, 134, 64, 16) + box(2, -118, 134, 64, 16), shade(cloth, 0.06)) +
    pen.fill(box(-176, -66, 352, 46, 14), shade(cloth, -0.07)) +
    pen.fill(arms, shade(cloth, -0.03)) +
    pen.place(
      pen.fill(box(-42, -42, 84, 84, 14), accent) +
        pen.line("M-30 -30L30 30M-30 30L30 -30", shade(accent, 0.14), 4),
      -92,
      -138,
      1,
      1,
      12,
    ) +
    pen.place(pen.fill(box(-36, -36, 72, 72, 12), "#f1e3c4"), 98, -134, 1, 1, -14)
  );
}

/** A throne on its step, 390 units high. */
export function throneShape(pen: Pen, cushion: Colour): string {
  return (
    pen.fill(box(-150, -26, 300, 26) + box(-190, -8, 380, 12), "#b9aeb5") +
    pen.fill("M-84 -26V-300L-70 -350L-44 -316L0 -376L44 -316L70 -350L84 -300V-26Z", "#d9a94a") +
    pen.fill(box(-64, -290, 128, 180, 18), cushion) +
    pen.fill(box(-84, -122, 168, 46, 8), shade(cushion, 0.06)) +
    pen.fill(box(-104, -176, 34, 150, 10) + box(70, -176, 34, 150, 10), "#c9963c") +
    pen.fill(oval(-87, -180, 21) + oval(87, -180, 21) + oval(0, -376, 14), "#e8c05a")
  );
}

/** A sofa for somebody to sit on. */
export function drawSofa(brush: Brush): string {
  const cloth = mainColour(brush, ["#b5533f", "#c98a4a", "#6f6aa0", "#3f6f83"]);
  const accent = brush.colours[1] ?? "#3f7f7a";
  return brush.pen.place(sofaShape(brush.pen, cloth, accent, "#7d5a40"), 0, 0, 100 / 212);
}

/** A throne for somebody to sit on. */
export function drawThrone(brush: Brush): string {
  const cushion = mainColour(brush, ["#a3343f"]);
  return brush.pen.place(throneShape(brush.pen, cushion), 0, 0, 100 / 390);
}
