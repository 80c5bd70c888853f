import { shade } from "../colour.ts";
import { oval, range, short } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";
import { tube } from "./tube.ts";
import { eyes } from "./eyes.ts";

/** A sitting cat that faces the viewer. */
export function drawCat(brush: Brush): string {
  const { pen, random } = brush;
  const coat = mainColour(brush, ["#e0933f", "#8d9297", "#3d3a42", "#c9b39a", "#d9a066"]);
  const white = brush.colours[1] ?? "#f6f0e4";
  const dark = shade(coat, -0.12);
  const bib = random.chance(0.6) || brush.colours.length > 1;
  const tail =
    tube(pen, "M22 -8C48 -2 52 -22 40 -36C36 -42 42 -50 47 -46", coat, 8.4) +
    tube(pen, "M40 -36C36 -42 42 -50 47 -46", shade(coat, -0.06), 8.2);
  const stripes =
    "M-8 -92Q-7 -88 -7 -85M0 -94V-86M8 -92Q7 -88 7 -85M-19 -40Q-23 -38 -26 -33M19 -40Q23 -38 26 -33M-18 -30Q-22 -28 -25 -23M18 -30Q22 -28 25 -23";
  return (
    tail +
    pen.fill(
      "M-14 -58C-28 -44 -32 -20 -28 -3Q-26 1 -16 1H16Q26 1 28 -3C32 -20 28 -44 14 -58Z",
      coat,
    ) +
    pen.fill("M8 -56C26 -44 32 -20 28 -3Q26 1 16 1H8Q16 -26 8 -56Z", "#2a2038", 0.1) +
    (bib ? pen.fill("M-9 -56Q-13 -36 -7 -22Q0 -16 7 -22Q13 -36 9 -56Z", white, 0.97) : "") +
    pen.fill(
      "M-12 -28Q-15 -10 -13 0H-3Q-1 -16 -4 -30ZM12 -28Q15 -10 13 0H3Q1 -16 4 -30Z",
      shade(coat, 0.02),
    ) +
    pen.fill(
      oval(-8.4, -1.2, 6.6, 3.4) + oval(8.4, -1.2, 6.6, 3.4),
      bib ? white : shade(coat, 0.05),
    ) +
    pen.fill("M-24 -76L-23 -104L-6 -92ZM24 -76L23 -104L6 -92Z", coat) +
    pen.fill("M-20.6 -84L-20 -97L-11 -91ZM20.6 -84L20 -97L11 -91Z", "#e8a8a0") +
    pen.fill(
      "M0 -96C17 -96 27 -84 26 -72C25 -58 12 -52 0 -52C-12 -52 -25 -58 -26 -72C-27 -84 -17 -96 0 -96Z",
      coat,
    ) +
    pen.line(stripes, dark, 2, 0.75) +
    pen.fill(oval(-5, -62, 7.4, 5.6) + oval(5, -62, 7.4, 5.6), bib ? white : shade(coat, 0.08)) +
    eyes(
      brush,
      [
        [-10, -75],
        [10, -75],
      ],
      4.2,
      "#a9c46c",
    ) +
    pen.fill("M-3 -68H3L0 -64.4Z", "#d9787c") +
    pen.line("M0 -64.6V-62M0 -62Q-4 -58.4 -7 -61M0 -62Q4 -58.4 7 -61", shade(coat, -0.3), 1) +
    pen.line("M-14 -64L-32 -67M-14 -61L-31 -59M14 -64L32 -67M14 -61L31 -59", "#f7f2e8", 0.7, 0.85)
  );
}

/** A sitting rabbit. */
export function drawRabbit(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#b59a80", "#efe6d8", "#8f8a86", "#a37a5a"]);
  return (
    pen.fill(oval(-30, -14, 9), "#f7f1e6") +
    pen.fill("M-28 -2C-36 -24 -24 -50 0 -50C22 -50 30 -26 26 -2Q0 4 -28 -2Z", coat) +
    pen.fill(oval(-12, -14, 19, 15), shade(coat, -0.03)) +
    pen.fill(oval(-8, -2, 16, 4.6) + oval(20, -2, 10, 4), shade(coat, 0.04)) +
    pen.fill("M4 -68C-6 -84 -4 -102 2 -103C10 -102 12 -84 11 -68Z", shade(coat, -0.05)) +
    pen.fill("M14 -68C12 -86 18 -102 25 -101C31 -97 28 -80 22 -66Z", coat) +
    pen.fill("M16.6 -72C16 -84 20 -95 24 -95C26.6 -91 24 -80 20.6 -70Z", "#e8b0a8") +
    pen.fill(oval(14, -56, 19, 16.6), coat) +
    pen.fill(oval(24, -51, 8.4, 6.6), shade(coat, 0.09)) +
    eyes(brush, [[17, -60]], 3) +
    pen.fill(oval(31, -54, 2.4, 1.8), "#d9787c") +
    pen.line("M30 -51Q27 -48 24 -49", shade(coat, -0.25), 0.9) +
    pen.fill("M10 -40Q24 -30 22 -14Q14 -26 8 -34Z", shade(coat, 0.1), 0.8)
  );
}

/** A squirrel with a nut. */
export function drawSquirrel(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#b5653a", "#a8603a", "#8f6a50"]);
  return (
    pen.fill(
      "M-12 -6C-44 -6 -52 -40 -42 -64C-34 -88 -10 -98 -4 -80C0 -66 -18 -64 -20 -50C-22 -36 -12 -26 -6 -20Z",
      shade(coat, -0.03),
    ) +
    pen.fill(
      "M-18 -14C-40 -20 -42 -46 -34 -64C-28 -78 -14 -86 -10 -78C-10 -70 -26 -66 -28 -48C-28 -34 -20 -24 -12 -18Z",
      shade(coat, 0.08),
      0.7,
    ) +
    pen.fill("M-14 0C-22 -22 -8 -50 8 -50C24 -48 24 -16 18 0Z", coat) +
    pen.fill("M8 -46C22 -40 20 -16 14 -4C6 -10 4 -34 8 -46Z", "#f3e3cb", 0.96) +
    pen.fill(oval(6, -1.6, 15, 4), shade(coat, -0.06)) +
    pen.fill("M4 -72L2 -90L14 -76ZM16 -76L20 -90L24 -72Z", coat) +
    pen.fill(oval(14, -63, 16, 14), coat) +
    pen.fill(oval(22, -58, 8, 6.6), "#f3e3cb", 0.95) +
    eyes(brush, [[15, -66]], 3) +
    pen.fill(oval(29, -61, 2), "#3a2a28") +
    pen.fill(oval(27, -36, 7, 8), "#8a5a34") +
    pen.fill("M20 -40Q27 -48 34 -40Z", "#6b4428") +
    tube(pen, "M10 -42Q18 -32 25 -35", coat, 5)
  );
}

/** A mouse. */
export function drawMouse(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#a39c9a", "#b59a84", "#8f8a8a"]);
  return (
    tube(pen, "M-46 -10C-76 -4 -70 -34 -88 -30", "#d9a09a", 3.4) +
    pen.fill("M-52 -2C-58 -40 -30 -66 4 -62C34 -58 56 -34 66 -16Q60 0 44 0Z", coat) +
    pen.fill(oval(-26, -2, 12, 4) + oval(24, -1, 10, 4), "#d9a09a") +
    pen.fill(oval(2, -74, 18, 19), shade(coat, -0.06)) +
    pen.fill(oval(24, -72, 20, 21), coat) +
    pen.fill(oval(25, -70, 13, 14), "#e8b6ae") +
    eyes(brush, [[42, -38]], 4.4) +
    pen.fill(oval(66, -19, 4.6, 4), "#d9787c") +
    pen.line("M54 -18L74 -30M54 -15L76 -16M54 -13L74 -4", "#f3ede4", 1, 0.8)
  );
}

const spines = (radius: number, count: number): string =>
  range(count)
    .map((index) => {
      const angle = Math.PI * (0.98 + (index / (count - 1)) * 0.86);
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
      return `M${short(-10 + dx * radius - dy * 5)} ${short(-22 + dy * radius * 0.84 + dx * 5)}L${short(-10 + dx * (radius + 17))} ${short(-22 + dy * (radius + 17) * 0.86)}L${short(-10 + dx * radius + dy * 5)} ${short(-22 + dy * radius * 0.84 - dx * 5)}Z`;
    })
    .join("");

/** A hedgehog. */
export function drawHedgehog(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#6b5040", "#7a5a45"]);
  return (
    pen.fill(oval(-30, -4, 9, 5) + oval(20, -4, 9, 5), "#c9a07a") +
    pen.fill(spines(56, 17) + oval(-10, -34, 58, 36), coat) +
    pen.line(
      range(24)
        .map(
          (index) =>
            `M${short(-50 + (index % 8) * 11 + Math.floor(index / 8) * 4)} ${-24 - Math.floor(index / 8) * 16}l-5 -9`,
        )
        .join(""),
      shade(coat, 0.16),
      2,
      0.8,
    ) +
    pen.fill("M14 -52C34 -56 52 -36 72 -20Q70 -6 40 -4Q14 -2 10 -18Z", "#e0bf98") +
    pen.fill(oval(20, -46, 9, 10), "#c9a07a") +
    eyes(brush, [[44, -32]], 4) +
    pen.fill(oval(72, -20, 5.4, 4.8), "#2b2224") +
    pen.line("M60 -12Q54 -8 48 -11", "#7d5a45", 1.4)
  );
}
