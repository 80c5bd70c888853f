import { shade } from "../colour.ts";
import { oval, range, short, smooth } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";
import { tube } from "./tube.ts";

/** A friendly dragon with spread wings. */
export function drawDragon(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#5f9a6a", "#b5483f", "#4f74a8", "#8a5a9f"]);
  const belly = brush.colours[1] ?? "#ecd9a0";
  const dark = shade(coat, -0.1);
  const spikes = range(7).map((index) => {
    const [x = 0, y = 0] =
      [
        [-70, -18],
        [-54, -30],
        [-36, -42],
        [-18, -50],
        [0, -58],
        [12, -72],
        [18, -86],
      ][index] ?? [];
    return `M${x - 6} ${y + 3}L${x - 6} ${y - 12}L${x + 7} ${y}Z`;
  });
  return (
    pen.fill(
      "M-6 -50C-2 -92 -40 -120 -96 -112Q-78 -98 -80 -80Q-62 -86 -56 -68Q-40 -74 -30 -50Z",
      dark,
    ) +
    pen.fill(spikes.join(""), belly) +
    pen.fill("M-30 -46C-66 -40 -70 -4 -106 -8L-118 -22L-120 4C-70 18 -50 0 -24 -8Z", coat) +
    pen.fill("M-122 8L-134 -14L-108 -16Z", dark) +
    tube(pen, "M-22 -18V-3M24 -18V-3", dark, 13) +
    pen.fill(
      smooth([
        [-38, -34],
        [-16, -54],
        [8, -60],
        [16, -84],
        [30, -96],
        [46, -86],
        [42, -60],
        [38, -30],
        [24, -8],
        [-14, -6],
        [-34, -14],
      ]),
      coat,
    ) +
    pen.fill(
      smooth([
        [38, -74],
        [40, -54],
        [34, -28],
        [20, -10],
        [4, -10],
        [18, -34],
        [28, -58],
      ]),
      belly,
    ) +
    pen.line("M25 -62L38 -58M21 -48L38 -44M16 -36L35 -31M10 -22L29 -18", shade(belly, -0.12), 1.6) +
    pen.fill(
      "M-26 -6Q-24 -24 -10 -24Q4 -22 2 0H-24ZM12 0Q14 -16 26 -16Q36 -14 34 0Z",
      shade(coat, 0.03),
    ) +
    pen.fill(
      "M2 -52C-12 -92 14 -124 70 -124Q56 -108 62 -92Q44 -96 40 -80Q26 -84 16 -48Z",
      shade(coat, 0.07),
      0.98,
    ) +
    pen.line("M4 -54Q16 -100 66 -122M8 -54Q28 -86 60 -92", dark, 1.6) +
    pen.line("M26 -98Q20 -110 24 -118M36 -100Q36 -112 42 -118", belly, 4) +
    pen.fill(
      smooth([
        [18, -92],
        [30, -106],
        [50, -102],
        [72, -90],
        [76, -80],
        [60, -74],
        [38, -76],
        [22, -82],
      ]),
      coat,
    ) +
    pen.fill(oval(71, -86, 1.8) + oval(66, -88, 1.6), dark) +
    pen.line("M74 -80Q60 -74 46 -80", dark, 1.6) +
    pen.fill(oval(45, -94, 5), "#fbf6dc", 0.98) +
    pen.fill(oval(46.4, -94, 2.6, 4), "#221c1e", 0.98)
  );
}

/** A long-necked dinosaur. */
export function drawDinosaur(brush: Brush): string {
  const { pen, random } = brush;
  const coat = mainColour(brush, ["#6fa37a", "#8a9fb5", "#c9a05a"]);
  const dark = shade(coat, -0.08);
  const spots = range(9).map(() =>
    oval(random.between(-36, 26), random.between(-54, -38), random.between(2, 4.4)),
  );
  return (
    tube(pen, "M-20 -14V-3M22 -14V-3", dark, 13) +
    pen.fill(
      smooth([
        [-118, -4],
        [-80, -18],
        [-44, -46],
        [-10, -56],
        [24, -50],
        [44, -70],
        [54, -96],
        [70, -104],
        [88, -96],
        [86, -88],
        [70, -88],
        [66, -66],
        [56, -38],
        [36, -18],
        [-20, -14],
        [-60, -14],
      ]),
      coat,
    ) +
    pen.fill(
      smooth([
        [50, -34],
        [36, -18],
        [-20, -14],
        [-54, -15],
        [-20, -24],
        [24, -26],
      ]),
      shade(coat, 0.14),
      0.9,
    ) +
    pen.fill("M-42 -30H-24V0H-42ZM6 -28H24V0H6Z", shade(coat, 0.02)) +
    pen.fill(spots.join(""), dark, 0.9) +
    pen.fill(oval(75, -97, 2.4), "#221c1e", 0.98) +
    pen.light(oval(75.8, -98, 0.9), "#ffffff") +
    pen.line(`M86 -91Q80 -${short(88)} 76 -90`, shade(coat, -0.25), 1.2)
  );
}
