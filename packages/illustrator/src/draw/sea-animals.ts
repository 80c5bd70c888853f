import { shade } from "../colour.ts";
import { oval, range, short, smooth, star } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";
import { tube } from "./tube.ts";

function eye(brush: Brush, x: number, y: number, size: number, white = false): string {
  return (
    (white ? brush.pen.fill(oval(x, y, size * 1.7), "#fbfaf4", 0.98) : "") +
    brush.pen.fill(oval(x, y, size), "#1f1c24", 0.98) +
    brush.pen.light(oval(x + size * 0.3, y - size * 0.35, size * 0.36), "#ffffff")
  );
}

/** A fish, centred on (0, 0). */
export function drawFish(brush: Brush): string {
  const { pen, random } = brush;
  const coat = mainColour(brush, ["#e8863a", "#4f9ac0", "#e0b43f", "#d9607a", "#6fb09a"]);
  const fin = shade(coat, -0.09);
  const body = smooth([
    [-52, 0],
    [-24, -30],
    [20, -36],
    [58, -12],
    [66, 4],
    [50, 22],
    [12, 34],
    [-28, 24],
  ]);
  const striped = random.chance(0.5) || brush.colours.length > 1;
  return (
    pen.fill("M-44 0L-92 -34Q-80 0 -92 34Z", fin) +
    pen.fill("M-18 -28Q4 -62 32 -34ZM-8 28Q4 52 20 32Z", fin) +
    pen.fill(body, coat) +
    pen.clip(
      body,
      (striped
        ? pen.fill(
            "M26 -44Q10 0 26 44H12Q-2 0 12 -44ZM-14 -44Q-26 0 -14 44H-26Q-36 0 -26 -44Z",
            brush.colours[1] ?? "#fbf3e3",
            0.92,
          )
        : "") + pen.fill(oval(10, 34, 60, 20), "#fff3dc", 0.35),
    ) +
    pen.fill("M8 2Q-16 6 -18 24Q4 24 16 12Z", shade(coat, -0.05)) +
    pen.line("M-6 -8q6 6 0 12M-24 -6q6 6 0 12", fin, 1.8, 0.7) +
    eye(brush, 46, -8, 5, true) +
    pen.line("M64 8Q58 12 54 11", shade(coat, -0.25), 1.8)
  );
}

/** A shark. */
export function drawShark(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#7d8f9f", "#6f8598"]);
  return (
    pen.fill("M-72 -2L-104 -38L-92 2L-104 26Z", shade(coat, -0.06)) +
    pen.fill("M-8 -22L-16 -62Q10 -44 22 -24Z", shade(coat, -0.04)) +
    pen.fill(
      smooth([
        [-82, -2],
        [-30, -24],
        [30, -30],
        [84, -10],
        [98, 2],
        [70, 16],
        [10, 26],
        [-40, 14],
      ]),
      coat,
    ) +
    pen.fill(
      smooth([
        [-60, 6],
        [0, 10],
        [60, 8],
        [92, 6],
        [64, 18],
        [10, 26],
        [-36, 15],
      ]),
      "#eef0ee",
      0.95,
    ) +
    pen.fill("M20 14L-2 48Q26 42 40 18Z", shade(coat, -0.08)) +
    pen.line("M46 -8V8M38 -8V8M54 -7V7", shade(coat, -0.14), 2) +
    pen.fill("M66 8L92 5Q84 16 68 14Z", "#5a2f35") +
    pen.fill("M70 8l3 4l3 -4.2l3 4l3 -4.4l3 3.6l2 -4Z", "#ffffff", 0.98) +
    eye(brush, 72, -8, 3.6)
  );
}

/** A whale with its spout. */
export function drawWhale(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#4f7898", "#5a7f9f", "#46698a"]);
  return (
    pen.line("M44 -54Q40 -84 22 -84M44 -54Q46 -90 64 -86M44 -54V-82", "#e3f3f7", 4, 0.85) +
    pen.fill(
      "M-78 -20C-92 -40 -108 -46 -118 -62C-98 -64 -90 -56 -84 -48C-82 -62 -74 -68 -56 -70C-60 -54 -66 -40 -62 -22Z",
      shade(coat, -0.05),
    ) +
    pen.fill(
      "M-84 -26C-60 -8 -40 -50 20 -54C74 -56 96 -30 92 2C60 26 -30 28 -62 6Q-80 -8 -84 -26Z",
      coat,
    ) +
    pen.fill("M92 2C60 26 -20 28 -54 10C-10 14 40 10 88 -12Z", "#e6eaec", 0.96) +
    pen.line("M20 20Q44 12 62 -2M0 22Q30 16 50 2M40 20Q62 10 76 -4", "#b9c4ca", 1.6) +
    pen.fill("M14 2Q2 26 -16 28Q-12 10 -4 0Z", shade(coat, -0.09)) +
    eye(brush, 66, -18, 3.6) +
    pen.line("M92 -10Q80 -6 72 -10", shade(coat, -0.2), 2)
  );
}

/** A leaping dolphin. */
export function drawDolphin(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#6f98b5", "#5f8cb0"]);
  return (
    pen.fill("M-70 28L-100 30L-88 14L-96 -8L-68 14Z", shade(coat, -0.06)) +
    pen.fill("M-6 -36Q-18 -62 -38 -60Q-28 -44 -26 -30Z", shade(coat, -0.05)) +
    pen.fill(
      smooth([
        [-78, 22],
        [-46, -16],
        [0, -38],
        [44, -30],
        [68, -4],
        [92, 12],
        [84, 20],
        [58, 14],
        [20, 8],
        [-30, 14],
      ]),
      coat,
    ) +
    pen.fill(
      smooth([
        [-40, 12],
        [10, -4],
        [50, 2],
        [84, 18],
        [56, 15],
        [18, 9],
      ]),
      "#eef2f2",
      0.95,
    ) +
    pen.fill("M14 4Q2 30 22 40Q34 24 32 6Z", shade(coat, -0.09)) +
    eye(brush, 56, -6, 3.2) +
    pen.line("M66 8Q76 14 88 15", shade(coat, -0.2), 1.6)
  );
}

/** An octopus. */
export function drawOctopus(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#d9607a", "#b5609a", "#e0803f"]);
  const arms = range(6).map((index) => {
    const x = -25 + index * 10;
    const out = (index - 2.5) * 22;
    return tube(
      pen,
      `M${x} -32C${short(x + out * 0.5)} -8 ${short(out)} -26 ${short(out * 1.1)} -6Q${short(out * 1.2)} 6 ${short(out * 1.35)} -2`,
      index % 2 === 0 ? shade(coat, -0.06) : coat,
      8.5,
    );
  });
  return (
    arms.join("") +
    pen.fill("M-34 -28C-46 -70 -30 -100 0 -100C30 -100 46 -70 34 -28Q0 -14 -34 -28Z", coat) +
    pen.fill(oval(-17, -84, 5, 4) + oval(14, -90, 4, 3) + oval(2, -82, 3), shade(coat, 0.1), 0.9) +
    eye(brush, -12, -50, 5, true) +
    eye(brush, 12, -50, 5, true) +
    pen.line("M-6 -36Q0 -31 6 -36", shade(coat, -0.25), 2)
  );
}

/** A jellyfish. */
export function drawJellyfish(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#e3a3d0", "#9fb8ef", "#f0b8a8"]);
  const threads = range(7).map(
    (index) =>
      `M${-30 + index * 10} -50q${index % 2 === 0 ? 8 : -8} 14 0 28t0 ${18 + (index % 3) * 6}`,
  );
  return (
    pen.light(oval(0, -60, 70), pen.glow(coat, 0.35)) +
    pen.line(threads.join(""), coat, 2.8, 0.75) +
    pen.fill(
      "M-42 -48C-42 -84 -22 -100 0 -100C22 -100 42 -84 42 -48Q35 -56 28 -48Q21 -56 14 -48Q7 -56 0 -48Q-7 -56 -14 -48Q-21 -56 -28 -48Q-35 -56 -42 -48Z",
      coat,
      0.9,
    ) +
    pen.fill("M-26 -60C-26 -80 -12 -90 0 -90C-12 -82 -18 -74 -16 -60Z", "#ffffff", 0.4)
  );
}

/** A crab. */
export function drawCrab(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#d9533c", "#e0743f"]);
  return (
    pen.line(
      "M-46 -20L-80 -8M-44 -12L-70 4M-46 -28L-84 -24M46 -20L80 -8M44 -12L70 4M46 -28L84 -24",
      shade(coat, -0.07),
      6,
    ) +
    pen.line("M-44 -40L-70 -56M44 -40L70 -56", coat, 8) +
    pen.fill(
      "M-66 -50C-92 -60 -92 -88 -70 -96L-72 -76L-56 -92C-46 -76 -50 -58 -66 -50ZM66 -50C92 -60 92 -88 70 -96L72 -76L56 -92C46 -76 50 -58 66 -50Z",
      coat,
    ) +
    pen.line("M-14 -56V-72M14 -56V-72", coat, 4) +
    pen.fill(
      "M-56 -30C-56 -54 -28 -62 0 -62C28 -62 56 -54 56 -30C50 -6 24 0 0 0C-24 0 -50 -6 -56 -30Z",
      coat,
    ) +
    eye(brush, -14, -75, 4, true) +
    eye(brush, 14, -75, 4, true) +
    pen.line("M-12 -24Q0 -14 12 -24", shade(coat, -0.22), 2.4) +
    pen.fill(oval(-32, -36, 6, 4) + oval(30, -40, 5, 3.4), shade(coat, 0.1), 0.9)
  );
}

/** A starfish. */
export function drawStarfish(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#e8863a", "#d9607a", "#e0b43f"]);
  return (
    pen.fill(star(0, -48, 52, 22, 5), coat) +
    pen.line(
      "M0 -92V-48M42 -62L0 -48M26 -8L0 -48M-26 -8L0 -48M-42 -62L0 -48",
      shade(coat, 0.12),
      4,
    ) +
    eye(brush, -8, -52, 3, true) +
    eye(brush, 8, -52, 3, true) +
    pen.line("M-6 -40Q0 -35 6 -40", shade(coat, -0.25), 2)
  );
}

/** A seal on the shore. */
export function drawSeal(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#7d8590", "#8a8078"]);
  return (
    pen.fill("M-84 -8L-116 -26L-108 -6L-118 8Z", shade(coat, -0.07)) +
    pen.fill(
      smooth([
        [-96, -6],
        [-50, -34],
        [0, -44],
        [26, -78],
        [50, -100],
        [78, -86],
        [76, -62],
        [62, -34],
        [52, 0],
        [-20, 2],
      ]),
      coat,
    ) +
    pen.fill("M34 -24Q22 0 -4 4Q8 -14 22 -28Z", shade(coat, -0.1)) +
    pen.fill(oval(74, -74, 12, 10), shade(coat, 0.1)) +
    pen.fill(oval(83, -80, 4, 3.2), "#22202a") +
    eye(brush, 60, -84, 4.4) +
    pen.line("M76 -72L98 -70M76 -69L96 -62", "#f3ede4", 1, 0.8)
  );
}
