import { mix, shade, underLight } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { box, oval, range, short } from "../geometry.ts";
import type { Random } from "../random.ts";
import { inAir } from "./stage.ts";
import type { Stage } from "./stage.ts";

const plaster: readonly Colour[] = [
  "#e8cfae",
  "#d9b59a",
  "#c9cfc4",
  "#e3bda0",
  "#d5c6d0",
  "#f0e3c8",
  "#b9c8d0",
];
const tiles: readonly Colour[] = ["#a8553f", "#8f4a3f", "#6b6068", "#b5703f", "#5f6a78"];

/** A house front; `storey` is the height of one storey, which its windows go with. */
function facade(
  stage: Stage,
  random: Random,
  x: number,
  y: number,
  width: number,
  height: number,
  distance: number,
  roofed: boolean,
  storey: number,
): string {
  const { pen, air } = stage;
  const wall = inAir(stage, random.pick(plaster), distance);
  const roof = inAir(stage, random.pick(tiles), distance);
  const columns = Math.max(2, Math.floor(width / (storey * 0.76)));
  const rows = Math.max(1, Math.floor(height / storey));
  const panes: string[] = [];
  const lights: string[] = [];
  for (const row of range(rows)) {
    for (const column of range(columns)) {
      const path = box(
        x + ((column + 0.5) / columns) * width - width / columns / 5,
        y - height + ((row + 0.32) / rows) * height,
        (width / columns) * 0.4,
        (height / rows) * 0.46,
      );
      (air.lit && random.chance(0.55) ? lights : panes).push(path);
    }
  }
  const peak = width * 0.46;
  const top = roofed
    ? pen.fill(
        `M${short(x - 4)} ${short(y - height + 1)}L${short(x + width / 2)} ${short(y - height - peak)}L${short(x + width + 4)} ${short(y - height + 1)}Z`,
        roof,
      ) +
      pen.fill(
        `M${short(x + width / 2)} ${short(y - height - peak)}L${short(x + width + 4)} ${short(y - height + 1)}H${short(x + width * 0.62)}Z`,
        "#2a2038",
        0.13,
      )
    : pen.fill(box(x - 2, y - height - 5, width + 4, 7), shade(wall, -0.1));
  return (
    pen.fill(box(x, y - height, width, height), wall) +
    pen.fill(box(x + width * 0.74, y - height, width * 0.26, height), "#2a2038", 0.09) +
    top +
    pen.fill(panes.join(""), mix(shade(wall, -0.26), "#4a6a80", 0.4), 0.95) +
    pen.light(lights.join(""), "#ffd98a", 1 - distance * 0.4)
  );
}

/** A lit sign that hangs down a house front. */
function neonSign(stage: Stage, random: Random, x: number, y: number, height: number): string {
  const { pen } = stage;
  const colour = random.pick(["#ff5fa8", "#4fe3f0", "#a98bff", "#ffd34f", "#6ff0b0"]);
  const [w, h] = [height * 0.07, height * random.between(0.24, 0.4)];
  const strokes = range(3).map(
    (index) => `M${short(x - w * 0.5)} ${short(y + h * (0.22 + index * 0.28))}h${short(w)}`,
  );
  return (
    pen.light(oval(x, y + h / 2, h * 0.9), pen.glow(colour, 0.5)) +
    pen.fill(box(x - w, y, w * 2, h, 4), "#241c38", 0.9) +
    pen.line(box(x - w, y, w * 2, h, 4), colour, 3) +
    pen.line(strokes.join(""), colour, 3)
  );
}

/** The houses of a city or village on both sides, tall ones in a city. */
export function drawTownBack(
  stage: Stage,
  town: "city" | "village",
  overWater: boolean,
  neon: boolean,
): string {
  const { pen, width, height, horizon, air } = stage;
  const random = stage.random.fork(`town ${town}`);
  const parts: string[] = [];
  if (town === "city") {
    for (const row of range(3)) {
      const distance = 0.7 - row * 0.2;
      const boxes: string[] = [];
      const lights: string[] = [];
      let x = -random.between(0, 40);
      while (x < width) {
        const w = width * random.between(0.035, 0.075) * (1 + row * 0.12);
        const h = height * random.between(0.12, 0.36 - row * 0.045);
        boxes.push(box(x, horizon - h + height * 0.06, w, h + height * 0.2));
        if (random.chance(0.35))
          boxes.push(
            box(x + w * 0.44, horizon - h + height * 0.06 - height * 0.03, w * 0.1, height * 0.032),
          );
        for (const _ of range(air.lit ? 7 : 0))
          lights.push(
            box(
              x + random.between(0.08, 0.8) * w,
              horizon + height * 0.06 - random.between(0.05, 0.95) * h,
              3.6,
              5,
            ),
          );
        x += w * random.between(0.85, 1.12);
      }
      const tone = inAir(stage, "#6f83a0", distance);
      parts.push(
        pen.fill(
          boxes.join(""),
          pen.linear([
            [0, tone],
            [1, mix(tone, air.haze, 0.5)],
          ]),
        ),
        pen.light(lights.join(""), "#ffd98a", 0.75),
      );
    }
  }
  // Across the water the houses are far away.
  const base = overWater ? horizon + height * 0.018 : height * (town === "city" ? 0.78 : 0.79);
  const far = overWater ? 0.5 : 1;
  const row = (from: number, to: number): void => {
    let x = from;
    while (x < to) {
      const w =
        width * (town === "city" ? random.between(0.085, 0.125) : random.between(0.1, 0.14)) * far;
      const h =
        far * height * (town === "city" ? random.between(0.26, 0.42) : random.between(0.07, 0.11));
      parts.push(
        facade(
          stage,
          random,
          x,
          base,
          Math.min(w, to - x),
          h,
          overWater ? 0.26 : town === "city" ? 0.14 : 0.1,
          town === "village" || random.chance(0.4),
          (town === "city" ? 34 : 56) * far,
        ),
      );
      if (neon && air.lit) parts.push(neonSign(stage, random, x + w / 2, base - h * 0.6, h));
      x += w;
    }
  };
  if (overWater) {
    const from = random.between(0.1, 0.3);
    row(width * from, width * (from + 0.46));
    return (
      parts.join("") +
      pen.fill(
        box(width * (from - 0.03), base - 3, width * 0.53, 9, 4),
        inAir(stage, "#9a8878", 0.3),
      )
    );
  }
  row(-20, width * (town === "city" ? 0.3 : 0.27));
  row(width * (town === "city" ? 0.72 : 0.74), width + 30);
  return parts.join("");
}

/** A pavement and a street. */
export function drawStreet(stage: Stage, top: number): string {
  const { pen, width, height } = stage;
  const stones = inAir(stage, "#cdbfae", 0.06);
  const road = inAir(stage, "#85808a", 0.03);
  const random = stage.random.fork("street");
  const slabs = range(14).map(
    (index) =>
      `M${short((index / 13) * width)} ${short(top)}l${short((index / 13 - 0.5) * 46)} ${short(height * 0.09)}`,
  );
  const cobbles = range(90).map(() =>
    oval(
      random.between(0, width),
      random.between(top + height * 0.115, height),
      random.between(5, 11),
      random.between(2, 3.6),
    ),
  );
  return (
    pen.fill(
      box(-4, top, width + 8, height),
      pen.linear([
        [0, shade(stones, -0.03)],
        [1, stones],
      ]),
    ) +
    pen.line(slabs.join(""), shade(stones, -0.08), 1.6, 0.7) +
    pen.fill(
      box(-4, top + height * 0.09, width + 8, height),
      pen.linear([
        [0, shade(road, 0.03)],
        [1, shade(road, -0.06)],
      ]),
    ) +
    pen.fill(
      box(-4, top + height * 0.086, width + 8, 7),
      underLight("#b5a897", stage.air.ambient),
    ) +
    pen.fill(cobbles.join(""), shade(road, 0.05), 0.6)
  );
}
