import { shade } from "../colour.ts";
import { box, oval, range, short, star } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";

const shadow = "#2a2038";

/** A sports shoe, its toe to the right. */
export function drawShoe(brush: Brush): string {
  const { pen } = brush;
  const upper = mainColour(brush, ["#f4f2ec", "#d9453d", "#3f6f9a"]);
  const accent = brush.colours[1] ?? shade(upper, -0.16);
  return (
    pen.fill(
      "M-88 -22C-90 -54 -86 -84 -78 -96Q-58 -84 -38 -92L-26 -98C-8 -72 22 -54 58 -46C84 -42 94 -34 94 -20Z",
      upper,
    ) +
    pen.fill("M-88 -22C-90 -54 -86 -84 -78 -96L-62 -89C-66 -60 -64 -40 -58 -22Z", accent) +
    pen.fill("M58 -46C84 -42 94 -34 94 -20H46Q44 -36 58 -46Z", shade(upper, -0.05)) +
    pen.fill("M-44 -22Q-20 -30 -6 -62L8 -53Q-6 -30 -8 -22Z", accent) +
    pen.line("M-30 -84L-14 -92M-20 -74L-4 -81M-8 -65L8 -72M6 -57L20 -62", "#ffffff", 4) +
    pen.line("M-30 -84L-14 -92M-20 -74L-4 -81M-8 -65L8 -72M6 -57L20 -62", shadow, 1, 0.25) +
    pen.fill("M-92 -24H96Q102 -4 88 0H-84Q-96 -4 -92 -24Z", "#fbfaf6") +
    pen.line("M-92 -12H97", shade(accent, -0.05), 3)
  );
}

/** An open laptop. */
export function drawLaptop(brush: Brush): string {
  const { pen } = brush;
  const metal = mainColour(brush, ["#b9bec4", "#8f969e"]);
  return (
    pen.fill(box(-74, -100, 148, 92, 6), shade(metal, -0.12)) +
    pen.light(
      box(-68, -94, 136, 80, 2),
      pen.linear([
        [0, "#8fc0d9"],
        [1, "#4f6fa8"],
      ]),
    ) +
    pen.light(
      box(-58, -84, 54, 6, 3) + box(-58, -70, 80, 5, 2) + box(-58, -60, 66, 5, 2),
      "#ffffff",
      0.85,
    ) +
    pen.light(box(18, -46, 40, 24, 3), "#f6d98a", 0.9) +
    pen.fill("M-80 -10H80L92 -2Q92 0 86 0H-86Q-92 0 -92 -2Z", metal) +
    pen.fill(box(-18, -8, 36, 3, 1), shade(metal, -0.1))
  );
}

/** A smartphone, leaning back slightly. */
export function drawPhone(brush: Brush): string {
  const { pen } = brush;
  const body = mainColour(brush, ["#2f3540", "#d9d4cc"]);
  const icons = range(12)
    .map((index) => box(-17 + (index % 3) * 13, -82 + Math.floor(index / 3) * 15, 8, 8, 2))
    .join("");
  return (
    pen.fill(box(-26, -100, 52, 100, 8), body) +
    pen.light(
      box(-22, -94, 44, 88, 4),
      pen.linear([
        [0, "#7fb0d0"],
        [1, "#d98fa0"],
      ]),
    ) +
    pen.light(icons, "#ffffff", 0.75) +
    pen.light(box(-10, -12, 20, 2.4, 1), "#ffffff", 0.9)
  );
}

/** A camera. */
export function drawCamera(brush: Brush): string {
  const { pen } = brush;
  const leather = mainColour(brush, ["#3a3f46", "#8a5a3c"]);
  return (
    pen.fill("M-30 -86L-22 -100H22L30 -86Z", "#b9bec4") +
    pen.fill(box(-80, -88, 160, 88, 10), "#b9bec4") +
    pen.fill(box(-80, -66, 160, 52), leather) +
    pen.fill(box(-68, -96, 24, 9, 3) + oval(58, -90, 9, 5), "#9aa0a8") +
    pen.light(box(46, -82, 20, 10, 2), "#fdf3c8") +
    pen.fill(oval(0, -42, 36), "#23272d") +
    pen.fill(oval(0, -42, 27), "#3f4a5a") +
    pen.fill(oval(0, -42, 17), "#1a2230") +
    pen.light(oval(-8, -51, 7, 5), "#ffffff", 0.6)
  );
}

/** A wristwatch that stands on its strap. */
export function drawWatch(brush: Brush): string {
  const { pen } = brush;
  const metal = mainColour(brush, ["#d9a94a", "#b9bec4"]);
  const strap = brush.colours[1] ?? "#6b4630";
  const hours = range(12).map((index) => {
    const [x, y] = [Math.sin((index / 6) * Math.PI), -Math.cos((index / 6) * Math.PI)];
    return `M${short(x * 21)} ${short(-50 + y * 21)}L${short(x * 24)} ${short(-50 + y * 24)}`;
  });
  return (
    pen.fill("M-18 -100H18L22 -70H-22ZM-22 -30H22L18 0H-18Z", strap) +
    pen.line("M-14 -96V-76M14 -96V-76M-14 -24V-4M14 -24V-4", shade(strap, 0.12), 1.6) +
    pen.fill(oval(0, -50, 32), metal) +
    pen.fill(oval(0, -50, 27), "#fbf8f0") +
    pen.line(hours.join(""), "#3a302e", 2) +
    pen.line("M0 -50L-11 -58M0 -50L7 -67", "#3a302e", 2.6) +
    pen.fill(oval(0, -50, 2.6) + box(31, -53, 6, 6, 2), metal)
  );
}

/** Headphones. */
export function drawHeadphones(brush: Brush): string {
  const { pen } = brush;
  const shell = mainColour(brush, ["#3a3f46", "#d9d4cc", "#c8544a"]);
  return (
    pen.line("M-46 -34C-52 -112 52 -112 46 -34", shade(shell, 0.08), 9) +
    pen.line("M-34 -84Q0 -106 34 -84", shade(shell, -0.08), 6) +
    ([-1, 1] as const)
      .map(
        (side) =>
          pen.fill(box(side * 44 - 16, -58, 32, 54, 14), shell) +
          pen.fill(box(side * 30 - 8, -54, 16, 46, 8), shade(shell, -0.14)) +
          pen.light(oval(side * 48, -40, 4, 10), "#ffffff", 0.3),
      )
      .join("")
  );
}

/** A cut gem. */
export function drawGem(brush: Brush): string {
  const { pen } = brush;
  const stone = mainColour(brush, ["#6fc4d9", "#d9486f", "#5fae7a", "#a07ad9"]);
  return (
    pen.light(oval(0, -50, 96), pen.glow(stone, 0.5)) +
    pen.fill("M-40 -96H40L66 -64L0 0L-66 -64Z", stone) +
    pen.fill("M-40 -96L-22 -64L0 -96L22 -64L40 -96L66 -64H-66Z", shade(stone, 0.12)) +
    pen.fill("M-22 -64H22L0 0Z", shade(stone, 0.05)) +
    pen.fill("M22 -64H66L0 0Z", shade(stone, -0.1)) +
    pen.light("M-40 -96H-4L-22 -66Z", "#ffffff", 0.4) +
    pen.light(star(44, -92, 12, 3, 4), "#ffffff", 0.95)
  );
}

/** A globe on its stand. */
export function drawGlobe(brush: Brush): string {
  const { pen } = brush;
  const sea = mainColour(brush, ["#5f9ab0", "#6fa8c4"]);
  const ball = oval(0, -58, 38);
  return (
    pen.fill("M-26 0Q-24 -10 0 -12Q24 -10 26 0Z", "#7a5636") +
    pen.line("M0 -10V-18", "#7a5636", 6) +
    pen.line("M20 -100A46 46 0 1 1 -26 -20", "#c9963c", 4.4) +
    pen.fill(ball, sea) +
    pen.clip(
      ball,
      pen.fill(
        "M-40 -78Q-16 -92 -6 -78Q-20 -66 -16 -54Q-30 -44 -40 -58ZM2 -66Q20 -78 40 -70V-46Q26 -50 18 -40Q6 -46 2 -66ZM-18 -36Q0 -40 4 -26Q-6 -14 -20 -22Z",
        "#8fae6a",
      ) + pen.fill(oval(20, -44, 42, 48), shadow, 0.1),
    ) +
    pen.light(oval(-14, -76, 8, 6), "#ffffff", 0.4)
  );
}

/** A winner's cup. */
export function drawTrophy(brush: Brush): string {
  const { pen } = brush;
  const metal = mainColour(brush, ["#e0b04a", "#c9ced4"]);
  return (
    pen.line("M-28 -86C-58 -88 -52 -52 -20 -50M28 -86C58 -88 52 -52 20 -50", metal, 6) +
    pen.fill("M-32 -96H32C32 -60 20 -44 6 -40V-22H-6V-40C-20 -44 -32 -60 -32 -96Z", metal) +
    pen.fill("M14 -96H32C32 -60 20 -44 6 -40V-22H0Q20 -56 14 -96Z", shadow, 0.12) +
    pen.fill(star(0, -72, 13, 5.4, 5), shade(metal, 0.14)) +
    pen.fill(oval(0, -96, 32, 4), shade(metal, 0.1)) +
    pen.fill(box(-20, -24, 40, 8, 2), shade(metal, -0.08)) +
    pen.fill(box(-26, -16, 52, 16, 2), "#5b4030") +
    pen.fill(box(-14, -12, 28, 7, 1), shade(metal, 0.04))
  );
}

/** An old key, lying on its side. */
export function drawKey(brush: Brush): string {
  const { pen } = brush;
  const metal = mainColour(brush, ["#c9963c", "#8f969e"]);
  return (
    pen.line("M-16 -38H86", metal, 14) +
    pen.line("M58 -36V-7M80 -36V-12", metal, 12) +
    pen.line(oval(-52, -40, 34, 34), metal, 14) +
    pen.fill(oval(-52, -40, 8), shade(metal, 0.08)) +
    pen.light("M-12 -41H80V-38H-12Z", "#ffffff", 0.35)
  );
}
