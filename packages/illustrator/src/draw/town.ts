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

/** A house front. Lengths are in units of the picture; `y` is the ground line. */
interface Facade {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Height of one storey; the windows scale with it. */
  readonly storey: number;
  readonly roofed: boolean;
  /** Share of the haze, from 0 (near) to 1. */
  readonly distance: number;
}

function drawFacade(stage: Stage, random: Random, facade: Facade): string {
  const { pen } = stage;
  const { x, y, width, height, roofed, distance } = facade;
  const wall = inAir(stage, random.pick(plaster), distance);
  const roof = inAir(stage, random.pick(tiles), distance);
  const { panes, lights } = layWindows(stage, random, facade);
  const top = roofed
    ? drawRoof(stage, facade, roof)
    : pen.fill(box(x - 2, y - height - 5, width + 4, 7), shade(wall, -0.1));
  return (
    pen.fill(box(x, y - height, width, height), wall) +
    pen.fill(box(x + width * 0.74, y - height, width * 0.26, height), "#2a2038", 0.09) +
    top +
    pen.fill(panes, mix(shade(wall, -0.26), "#4a6a80", 0.4), 0.95) +
    pen.light(lights, "#ffd98a", 1 - distance * 0.4)
  );
}

/** Returns the paths of the dark and the lit windows. */
function layWindows(
  { air }: Stage,
  random: Random,
  { x, y, width, height, storey }: Facade,
): { readonly panes: string; readonly lights: string } {
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
  return { panes: panes.join(""), lights: lights.join("") };
}

function drawRoof({ pen }: Stage, { x, y, width, height }: Facade, colour: Colour): string {
  const eaves = short(y - height + 1);
  const peak = `${short(x + width / 2)} ${short(y - height - width * 0.46)}`;
  const right = short(x + width + 4);
  return (
    pen.fill(`M${short(x - 4)} ${eaves}L${peak}L${right} ${eaves}Z`, colour) +
    pen.fill(`M${peak}L${right} ${eaves}H${short(x + width * 0.62)}Z`, "#2a2038", 0.13)
  );
}

/** A lit vertical sign on a house front. */
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

/** Measures of a town as shares of the picture, except `storey`, which is in units. */
interface TownMeasures {
  readonly houseWidth: readonly [from: number, to: number];
  readonly houseHeight: readonly [from: number, to: number];
  readonly storey: number;
  readonly ground: number;
  readonly distance: number;
  /** Where the left row ends and the right row begins. */
  readonly street: readonly [from: number, to: number];
}

const measures: Record<"city" | "village", TownMeasures> = {
  city: {
    houseWidth: [0.085, 0.125],
    houseHeight: [0.26, 0.42],
    storey: 34,
    ground: 0.78,
    distance: 0.14,
    street: [0.3, 0.72],
  },
  village: {
    houseWidth: [0.1, 0.14],
    houseHeight: [0.07, 0.11],
    storey: 56,
    ground: 0.79,
    distance: 0.1,
    street: [0.27, 0.74],
  },
};

/** The houses of a city or village on both sides, tall ones in a city. */
export function drawTownBack(
  stage: Stage,
  town: "city" | "village",
  overWater: boolean,
  neon: boolean,
): string {
  const { pen, width, height, horizon, air } = stage;
  const random = stage.random.fork(`town ${town}`);
  const skyline = town === "city" ? drawSkyline(stage, random) : "";
  const { houseWidth, houseHeight, storey, ground, distance, street } = measures[town];
  // On the other side of the water, the houses are far away.
  const scale = overWater ? 0.5 : 1;
  const y = overWater ? horizon + height * 0.018 : height * ground;

  function drawRow(from: number, to: number): string {
    const houses: string[] = [];
    let x = from;
    while (x < to) {
      const w = width * random.between(...houseWidth) * scale;
      const h = scale * height * random.between(...houseHeight);
      const roofed = town === "village" || random.chance(0.4);
      houses.push(
        drawFacade(stage, random, {
          x,
          y,
          width: Math.min(w, to - x),
          height: h,
          storey: storey * scale,
          roofed,
          distance: overWater ? 0.26 : distance,
        }),
      );
      if (neon && air.lit) houses.push(neonSign(stage, random, x + w / 2, y - h * 0.6, h));
      x += w;
    }
    return houses.join("");
  }

  if (overWater) {
    const from = random.between(0.1, 0.3);
    const houses = drawRow(width * from, width * (from + 0.46));
    const quay = box(width * (from - 0.03), y - 3, width * 0.53, 9, 4);
    return skyline + houses + pen.fill(quay, inAir(stage, "#9a8878", 0.3));
  }
  const left = drawRow(-20, width * street[0]);
  return skyline + left + drawRow(width * street[1], width + 30);
}

/** Three rows of distant high-rises. */
function drawSkyline(stage: Stage, random: Random): string {
  const { pen, width, height, horizon, air } = stage;
  const parts: string[] = [];
  for (const row of range(3)) {
    const blocks: string[] = [];
    const lights: string[] = [];
    let x = -random.between(0, 40);
    while (x < width) {
      const w = width * random.between(0.035, 0.075) * (1 + row * 0.12);
      const h = height * random.between(0.12, 0.36 - row * 0.045);
      blocks.push(box(x, horizon - h + height * 0.06, w, h + height * 0.2));
      if (random.chance(0.35))
        blocks.push(
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
    const tone = inAir(stage, "#6f83a0", 0.7 - row * 0.2);
    const fade = pen.linear([
      [0, tone],
      [1, mix(tone, air.haze, 0.5)],
    ]);
    parts.push(pen.fill(blocks.join(""), fade), pen.light(lights.join(""), "#ffd98a", 0.75));
  }
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
