import { mix, shade } from "../colour.ts";
import { box, oval, polygon, range, short, smooth, star } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import type { Stage } from "./stage.ts";

/** A cave with an opening to the sky, dripstones and crystals. */
export function drawCaveShell(stage: Stage): string {
  const { pen, width, height, horizon, air, ground } = stage;
  const random = stage.random.fork("cave");
  const rock = random.pick(["#5a5068", "#4f5a68", "#665850"]);
  const x = width * random.between(0.42, 0.58);
  const mouth = (grow: number): string =>
    smooth(
      range(12).map((index): Point => {
        const angle = (index / 12) * Math.PI * 2;
        const reach = (0.9 + Math.sin(index * 2.4) * 0.1) * grow;
        return [
          x + Math.cos(angle) * width * 0.25 * reach,
          horizon * 0.6 + Math.sin(angle) * height * 0.26 * reach,
        ];
      }),
    );
  const spikes = (down: boolean): string =>
    range(13)
      .map((index) => {
        const at = (index / 12) * width + random.between(-20, 20);
        const far = Math.abs(at - x) / width;
        const length = height * (0.05 + far * 0.26) * random.between(0.6, 1.1);
        const half = width * random.between(0.02, 0.035);
        const base = down ? -6 : height + 6;
        const tip = down ? length : height - length * 0.5;
        return polygon([
          [at - half, base],
          [at + half, base],
          [at + random.between(-6, 6), tip],
        ]);
      })
      .join("");
  const crystals = range(9).map((index) => {
    const side = index % 2 === 0 ? random.between(0.02, 0.22) : random.between(0.78, 0.98);
    const [cx, cy, s] = [
      side * width,
      horizon + height * random.between(-0.02, 0.12),
      random.between(26, 62),
    ];
    const lean = random.between(-12, 12);
    return (
      pen.light(oval(cx, cy - s * 0.5, s * 1.3), pen.glow("#8fe0e8", 0.4)) +
      pen.fill(
        polygon([
          [cx - s * 0.22, cy],
          [cx - s * 0.26 + lean, cy - s * 0.75],
          [cx + lean, cy - s],
          [cx + s * 0.24 + lean, cy - s * 0.7],
          [cx + s * 0.22, cy],
        ]),
        "#7fc6d6",
      ) +
      pen.fill(
        polygon([
          [cx, cy],
          [cx + lean, cy - s],
          [cx + s * 0.24 + lean, cy - s * 0.7],
          [cx + s * 0.22, cy],
        ]),
        "#5a9ab8",
        0.9,
      )
    );
  });
  return (
    pen.fill(box(-4, -4, width + 8, height + 8), shade(rock, -0.08)) +
    pen.fill(mouth(1.75), shade(rock, -0.03)) +
    pen.fill(mouth(1.36), shade(rock, 0.04)) +
    pen.clip(
      mouth(1),
      pen.fill(
        box(0, 0, width, height),
        pen.linear(
          air.sky.map((colour, index) => [(index / (air.sky.length - 1)) * 0.7, colour] as const),
        ),
      ) +
        pen.light(oval(x + width * 0.06, horizon * 0.52, width * 0.12), pen.glow(air.sun, 0.8)) +
        pen.fill(
          oval(x, horizon * 1.05, width * 0.34, height * 0.14),
          mix(ground.cover[1], air.haze, 0.3),
        ),
    ) +
    pen.fill(spikes(true), shade(rock, -0.12)) +
    pen.fill(
      `M-4 ${short(horizon + 14)}Q${short(width * 0.3)} ${short(horizon - 22)} ${short(width * 0.55)} ${short(horizon + 4)}T${short(width + 4)} ${short(horizon - 6)}V${short(height + 4)}H-4Z`,
      pen.linear([
        [0, shade(rock, 0.09)],
        [1, shade(rock, -0.05)],
      ]),
    ) +
    pen.light(
      oval(x, horizon + (height - horizon) * 0.35, width * 0.32, (height - horizon) * 0.34),
      pen.glow(air.sun, 0.35),
    ) +
    crystals.join("") +
    pen.fill(spikes(false), shade(rock, -0.14), 0.98)
  );
}

/** The bridge of a spaceship: a wide window onto the stars above consoles. */
export function drawCockpitShell(stage: Stage): string {
  const { pen, width, height, horizon } = stage;
  const random = stage.random.fork("cockpit");
  const hull = random.pick(["#5f6f83", "#6b6580", "#56747a"]);
  const pane = `M${short(width * 0.1)} ${short(horizon * 0.8)}L${short(width * 0.17)} ${short(horizon * 0.14)}Q${short(width * 0.5)} ${short(horizon * 0.04)} ${short(width * 0.83)} ${short(horizon * 0.14)}L${short(width * 0.9)} ${short(horizon * 0.8)}Z`;
  const stars = range(90)
    .map(() => oval(random.between(0, width), random.between(0, horizon), random.between(0.7, 2.2)))
    .join("");
  const [px, py, pr] = [
    width * random.between(0.3, 0.7),
    horizon * 0.46,
    Math.min(width, height) * 0.13,
  ];
  const view =
    pen.light(
      box(0, 0, width, horizon),
      pen.linear([
        [0, "#0d1033"],
        [1, "#2a2660"],
      ]),
    ) +
    pen.light(stars, "#fff9e6", 0.9) +
    pen.light(oval(px, py, pr * 1.7), pen.glow("#8fb8ff", 0.5)) +
    pen.fill(oval(px, py, pr), "#d98a5a") +
    pen.fill(
      `M${short(px - pr * 0.94)} ${short(py - pr * 0.3)}Q${short(px)} ${short(py)} ${short(px + pr * 0.94)} ${short(py - pr * 0.3)}L${short(px + pr * 0.99)} ${short(py + pr * 0.1)}Q${short(px)} ${short(py + pr * 0.4)} ${short(px - pr * 0.99)} ${short(py + pr * 0.1)}Z`,
      "#e8b98a",
      0.8,
    ) +
    pen.line(
      `M${short(px - pr * 1.7)} ${short(py + pr * 0.34)}Q${short(px)} ${short(py + pr * 0.9)} ${short(px + pr * 1.7)} ${short(py - pr * 0.3)}`,
      "#f0d9b0",
      pr * 0.13,
      0.7,
    );
  const consoles = range(5).map((index) => {
    const x = width * (0.06 + index * 0.186);
    const [w, h, y] = [width * 0.165, height * 0.1, horizon * 0.86];
    const colour = ["#6fd8c8", "#f0b95a", "#8fb8ff", "#f08a8a", "#9fe08a"][index] ?? "#6fd8c8";
    return (
      pen.fill(box(x, y, w, h, 8), shade(hull, -0.14)) +
      pen.light(box(x + w * 0.07, y + h * 0.12, w * 0.56, h * 0.5, 4), colour, 0.75) +
      pen.light(
        range(6)
          .map((dot) =>
            oval(x + w * (0.72 + (dot % 3) * 0.09), y + h * (0.24 + Math.floor(dot / 3) * 0.26), 4),
          )
          .join(""),
        "#fff3cf",
        0.9,
      )
    );
  });
  return (
    pen.fill(
      box(-4, -4, width + 8, height + 8),
      pen.linear([
        [0, shade(hull, -0.08)],
        [0.7, hull],
        [1, shade(hull, -0.1)],
      ]),
    ) +
    pen.clip(pane, view) +
    pen.line(pane, shade(hull, 0.12), 14) +
    pen.line(
      `M${short(width * 0.38)} ${short(horizon * 0.08)}L${short(width * 0.34)} ${short(horizon * 0.8)}M${short(width * 0.62)} ${short(horizon * 0.08)}L${short(width * 0.66)} ${short(horizon * 0.8)}`,
      shade(hull, 0.12),
      8,
    ) +
    consoles.join("") +
    pen.fill(
      box(-4, horizon, width + 8, height - horizon + 8),
      pen.linear([
        [0, shade(hull, -0.2)],
        [1, shade(hull, -0.1)],
      ]),
    ) +
    pen.line(
      range(9)
        .map(
          (index) =>
            `M${short(width * 0.5 + (index - 4) * width * 0.1)} ${short(horizon)}L${short(width * 0.5 + (index - 4) * width * 0.24)} ${short(height + 4)}`,
        )
        .join(""),
      shade(hull, -0.02),
      2.4,
      0.7,
    ) +
    pen.light(star(width * 0.85, horizon * 0.22, 12, 3, 4), "#ffffff", 0.9)
  );
}
