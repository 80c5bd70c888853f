import { shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { oval, range, short, smooth } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";
import { tube } from "./tube.ts";
import { birdEye } from "./bird-eye.ts";

function legs(
  brush: Brush,
  xs: readonly number[],
  top: number,
  colour: Colour,
  width: number,
): string {
  return brush.pen.line(
    xs.map((x) => `M${x} ${top}V0M${short(x - width * 2.4)} 0H${short(x + width * 3)}`).join(""),
    colour,
    width,
  );
}

/** A small perching bird. */
export function drawBird(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#4f86b5", "#c8543f", "#e0a83f", "#6f9a6a", "#8a6a52"]);
  const breast = brush.colours[1] ?? "#f2d9b0";
  return (
    legs(brush, [-6, 10], -22, "#7a5636", 2.6) +
    pen.fill("M-34 -46L-84 -22L-76 -12L-24 -26Z", shade(coat, -0.09)) +
    pen.fill(
      smooth([
        [-40, -46],
        [-14, -76],
        [22, -100],
        [50, -82],
        [46, -46],
        [20, -18],
        [-14, -20],
      ]),
      coat,
    ) +
    pen.fill(
      smooth([
        [46, -66],
        [44, -40],
        [20, -18],
        [-6, -20],
        [16, -40],
        [30, -62],
      ]),
      breast,
      0.97,
    ) +
    pen.fill(
      smooth([
        [-44, -44],
        [-18, -68],
        [14, -58],
        [4, -34],
        [-22, -30],
      ]),
      shade(coat, -0.07),
    ) +
    pen.line("M-30 -42Q-12 -38 4 -46M-24 -34Q-10 -32 2 -40", shade(coat, -0.15), 1.8) +
    pen.fill("M48 -84L68 -76L48 -70Z", "#eaa53c") +
    birdEye(brush, 36, -82, 4.2)
  );
}

/** An owl. */
export function drawOwl(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#8f6a48", "#7d6a5a", "#a88560"]);
  const breast = shade(coat, 0.16);
  return (
    pen.fill("M-24 -80L-30 -102L-8 -92ZM24 -80L30 -102L8 -92Z", coat) +
    pen.fill(
      "M0 -96C28 -96 36 -70 34 -40C32 -14 18 -4 0 -4C-18 -4 -32 -14 -34 -40C-36 -70 -28 -96 0 -96Z",
      coat,
    ) +
    pen.fill(
      "M0 -60C18 -60 22 -40 20 -26C18 -12 8 -8 0 -8C-8 -8 -18 -12 -20 -26C-22 -40 -18 -60 0 -60Z",
      breast,
    ) +
    pen.line(
      range(9)
        .map(
          (index) =>
            `M${-12 + (index % 3) * 10 + (Math.floor(index / 3) % 2) * 3} ${-46 + Math.floor(index / 3) * 11}q3 5 6 0`,
        )
        .join(""),
      shade(coat, -0.06),
      1.6,
    ) +
    pen.fill(
      "M-33 -60C-42 -40 -36 -18 -24 -12Q-20 -34 -27 -60ZM33 -60C42 -40 36 -18 24 -12Q20 -34 27 -60Z",
      shade(coat, -0.09),
    ) +
    pen.fill(oval(-13, -74, 15) + oval(13, -74, 15), shade(coat, 0.22)) +
    pen.fill(oval(-12, -74, 9.4) + oval(12, -74, 9.4), "#f0b93c") +
    pen.fill(oval(-12, -74, 5.4) + oval(12, -74, 5.4), "#221c1e", 0.98) +
    pen.light(oval(-10, -77, 1.9) + oval(14, -77, 1.9), "#ffffff") +
    pen.fill("M-4 -68L4 -68L0 -58Z", "#e09a3a") +
    pen.line("M-12 -5V0M-7 -5V0M7 -5V0M12 -5V0", "#e09a3a", 3)
  );
}

function swimmer(
  brush: Brush,
  coat: Colour,
  neck: string,
  neckWidth: number,
  headX: number,
  headY: number,
  beak: Colour,
  head: Colour,
): string {
  const { pen } = brush;
  return (
    pen.fill("M-62 -26L-84 -48L-50 -44Z", shade(coat, -0.06)) +
    tube(pen, neck, head, neckWidth) +
    pen.fill(
      smooth([
        [-66, -30],
        [-40, -46],
        [0, -46],
        [36, -44],
        [52, -22],
        [36, 0],
        [-30, 2],
        [-58, -8],
      ]),
      coat,
    ) +
    pen.fill(
      smooth([
        [-52, -38],
        [-18, -52],
        [22, -40],
        [10, -18],
        [-28, -14],
      ]),
      shade(coat, -0.05),
    ) +
    pen.line("M-36 -28Q-14 -20 10 -28M-28 -20Q-12 -16 2 -21", shade(coat, -0.14), 1.8) +
    pen.fill(oval(headX, headY, neckWidth * 0.74, neckWidth * 0.66), head) +
    pen.fill(
      `M${headX + neckWidth * 0.5} ${headY - 4}L${headX + neckWidth * 0.5 + 19} ${headY + 3}L${headX + neckWidth * 0.4} ${headY + 6}Z`,
      beak,
    ) +
    birdEye(brush, headX + neckWidth * 0.2, headY - 3, 2.8)
  );
}

/** A duck. */
export function drawDuck(brush: Brush): string {
  const coat = mainColour(brush, ["#a38a70", "#f0c84f", "#efe9dc"]);
  const head = brush.colours[0] === undefined && coat === "#a38a70" ? "#3f7a5a" : coat;
  return swimmer(brush, coat, "M30 -30Q42 -48 38 -72", 22, 40, -78, "#e89a3a", head);
}

/** A swan. */
export function drawSwan(brush: Brush): string {
  const coat = mainColour(brush, ["#fbf9f3"]);
  return swimmer(
    brush,
    coat,
    "M36 -24C66 -44 22 -62 36 -88C42 -96 50 -92 52 -88",
    11,
    51,
    -88,
    "#e5833c",
    coat,
  );
}

/** A hen. */
export function drawChicken(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#f2ebdc", "#b5653a", "#d9a066"]);
  return (
    legs(brush, [-8, 12], -20, "#e09a3a", 3.4) +
    pen.fill(
      smooth([
        [-36, -50],
        [-64, -84],
        [-72, -60],
        [-56, -34],
      ]),
      shade(coat, -0.09),
    ) +
    pen.fill(
      smooth([
        [-58, -52],
        [-20, -58],
        [10, -74],
        [22, -96],
        [42, -90],
        [44, -60],
        [40, -32],
        [10, -14],
        [-30, -18],
      ]),
      coat,
    ) +
    pen.fill(
      smooth([
        [-40, -46],
        [-6, -54],
        [16, -42],
        [2, -24],
        [-24, -24],
      ]),
      shade(coat, -0.07),
    ) +
    pen.fill(oval(24, -99, 6, 7) + oval(32, -102, 6, 7) + oval(40, -98, 5, 6), "#cf3f3a") +
    pen.fill("M45 -86L62 -80L45 -75Z", "#eaa53c") +
    pen.fill(oval(46, -70, 5, 7), "#cf3f3a") +
    birdEye(brush, 35, -85, 3.4)
  );
}

/** A penguin. */
export function drawPenguin(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#34384a", "#2f3a4f"]);
  return (
    pen.fill(oval(-12, -3, 13, 5) + oval(12, -3, 13, 5), "#e8983a") +
    pen.fill(
      "M0 -100C22 -100 26 -80 28 -62C34 -36 30 -4 0 -4C-30 -4 -34 -36 -28 -62C-26 -80 -22 -100 0 -100Z",
      coat,
    ) +
    pen.fill(
      "M0 -66C18 -66 22 -44 21 -28C20 -12 10 -7 0 -7C-10 -7 -20 -12 -21 -28C-22 -44 -18 -66 0 -66Z",
      "#fbf8f0",
    ) +
    pen.fill(oval(-9, -80, 10, 11) + oval(9, -80, 10, 11), "#fbf8f0") +
    pen.fill(
      "M-27 -62C-42 -46 -44 -28 -38 -18Q-30 -30 -26 -48ZM27 -62C42 -46 44 -28 38 -18Q30 -30 26 -48Z",
      shade(coat, -0.05),
    ) +
    birdEye(brush, -8, -82, 3.2) +
    birdEye(brush, 8, -82, 3.2) +
    pen.fill("M-6 -76H6L0 -67Z", "#e8983a")
  );
}

/** A flamingo on one leg. */
export function drawFlamingo(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#ee8fa4", "#f0a3b0"]);
  return (
    pen.line("M2 -48V0M-4 0H8M-4 -46L-16 -28L-2 -24", shade(coat, -0.08), 2.2) +
    pen.fill(
      smooth([
        [-34, -54],
        [-16, -66],
        [8, -64],
        [18, -54],
        [6, -44],
        [-14, -44],
      ]),
      coat,
    ) +
    pen.fill(
      smooth([
        [-36, -54],
        [-14, -62],
        [4, -56],
        [-8, -48],
      ]),
      shade(coat, -0.07),
    ) +
    tube(pen, "M14 -54C30 -58 20 -74 14 -82C10 -94 22 -98 25 -91", coat, 5) +
    pen.fill(oval(24, -91, 5, 4.4), coat) +
    pen.fill("M28 -92Q34 -90 32 -80Q28 -84 26 -88Z", "#f6ead6") +
    pen.fill("M33 -86Q34 -82 32 -79Q30 -82 30 -84Z", "#35323a") +
    birdEye(brush, 25, -92, 1.2)
  );
}
