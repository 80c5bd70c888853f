import { shade } from "../colour.ts";
import { box, oval, range, short, smooth, star } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import type { Time, Weather } from "../air.ts";
import { drawClouds } from "./clouds.ts";
import { inAir } from "./stage.ts";
import type { Stage } from "./stage.ts";
import type { Celestial } from "./celestial.ts";

const moonWords = ["moon", "fullmoon", "crescent"];

/**
 * Position and size of the sun or moon.
 *
 * @param side -1 left, 1 right.
 */
export function celestialFor(stage: Stage, time: Time, side: number): Celestial {
  const { width, horizon, random } = stage;
  const low = time === "sunset" || time === "dawn";
  const radius =
    Math.min(width, stage.height) *
    (time === "night" || time === "dusk" ? 0.052 : low ? 0.07 : 0.055);
  const x = width * (0.5 + side * random.between(0.17, 0.3));
  const y = horizon * (low ? random.between(0.7, 0.86) : random.between(0.2, 0.34));
  return { x, y, radius };
}

/**
 * Draws the sky from the zenith to below the horizon, with the sun, moon, stars and other features.
 */
export function drawSky(
  stage: Stage,
  time: Time,
  weather: Weather,
  features: ReadonlySet<string>,
  celestial: Celestial,
): string {
  const { pen, width, height, horizon, air } = stage;
  const stops = air.sky.map(
    (colour, index) =>
      [((index / (air.sky.length - 1)) * horizon * 1.04) / height, colour] as const,
  );
  const parts = [pen.fill(box(-4, -4, width + 8, height + 8), pen.linear(stops))];
  const dark = time === "night" || time === "dusk";
  const dull =
    weather === "rain" ||
    weather === "storm" ||
    weather === "fog" ||
    weather === "cloudy" ||
    weather === "snow";
  if ((dark && !dull) || features.has("stars"))
    parts.push(drawStars(stage, time === "night" ? 150 : 60));
  if (features.has("aurora")) parts.push(drawAurora(stage));
  if (!dull || ["sun", ...moonWords].some((kind) => features.has(kind)))
    parts.push(drawCelestial(stage, time, features, celestial));
  if (features.has("rainbow")) parts.push(drawRainbow(stage, celestial.x > width / 2 ? -1 : 1));
  if (features.has("comet")) parts.push(drawComet(stage));
  parts.push(drawClouds(stage, weather, features, celestial));
  if (features.has("fireworks")) parts.push(drawFireworks(stage));
  return parts.join("");
}

function drawCelestial(
  stage: Stage,
  time: Time,
  features: ReadonlySet<string>,
  { x, y, radius }: Celestial,
): string {
  const { pen, air } = stage;
  const moon =
    moonWords.some((kind) => features.has(kind)) ||
    ((time === "night" || time === "dusk") && !features.has("sun"));
  const halo = pen.light(
    oval(x, y, radius * (moon ? 4 : 5.5)),
    pen.glow(moon ? "#fdf3d8" : air.sun, moon ? 0.5 : 0.75),
  );
  const disc = pen.light(oval(x, y, radius), moon ? "#fdf6dc" : air.sun);
  if (!moon) return halo + pen.light(oval(x, y, radius * 1.5), air.sun, 0.25) + disc;
  if (
    features.has("crescent") ||
    (!features.has("fullmoon") && stage.random.fork("crescent").chance(0.35))
  ) {
    const r = short(radius);
    return (
      halo +
      pen.light(
        `M${short(x + radius * 0.3)} ${short(y - radius)}A${r} ${r} 0 1 0 ${short(x + radius)} ${short(y + radius * 0.45)}A${short(radius * 0.86)} ${short(radius * 0.86)} 0 0 1 ${short(x + radius * 0.3)} ${short(y - radius)}Z`,
        "#fdf6dc",
      )
    );
  }
  const craters =
    oval(x - radius * 0.3, y - radius * 0.2, radius * 0.22) +
    oval(x + radius * 0.32, y + radius * 0.3, radius * 0.16) +
    oval(x + radius * 0.14, y - radius * 0.5, radius * 0.11) +
    oval(x - radius * 0.36, y + radius * 0.42, radius * 0.12);
  return halo + disc + pen.light(craters, "#e3d7b4", 0.7);
}

function drawStars(stage: Stage, count: number): string {
  const { pen, width, horizon } = stage;
  const random = stage.random.fork("stars");
  const small: string[] = [];
  const big: string[] = [];
  for (const index of range(count)) {
    const x = random.between(0, width);
    const y = random.between(0, horizon * 0.92) * random.between(0.5, 1);
    if (index % 14 === 0) big.push(star(x, y, random.between(4, 7), 1.1, 4));
    else small.push(oval(x, y, random.between(0.6, 1.7)));
  }
  return pen.light(small.join(""), "#fff9e6", 0.8) + pen.light(big.join(""), "#fffdf2", 0.95);
}

function drawAurora(stage: Stage): string {
  const { pen, width, horizon } = stage;
  const random = stage.random.fork("aurora");
  return ["#6ff0b0", "#58d8c8", "#a98bf0"]
    .map((colour, band) => {
      const top = horizon * (0.06 + band * 0.1);
      const ridge: Point[] = range(9).map((index) => [
        (index / 8) * width,
        top + random.between(0, horizon * 0.16),
      ]);
      const lower: Point[] = ridge
        .map(([x, y]): Point => [x, y + horizon * random.between(0.3, 0.5)])
        .toReversed();
      const paint = pen.linear([
        [0, colour, 0],
        [0.35, colour, 0.5],
        [1, colour, 0],
      ]);
      return pen.fill(smooth([...ridge, ...lower]), paint, 0.85);
    })
    .join("");
}

function drawRainbow(stage: Stage, side: number): string {
  const { pen, width, horizon } = stage;
  const x = width * (0.5 + side * 0.14);
  const radius = Math.min(width * 0.46, horizon * 0.86);
  return ["#e0605a", "#eb9a53", "#f1d060", "#7fb96c", "#5b9fd0", "#8a74bd"]
    .map((colour, index) => {
      const r = radius - index * radius * 0.035;
      return pen.line(
        `M${short(x - r)} ${short(horizon)}A${short(r)} ${short(r)} 0 0 1 ${short(x + r)} ${short(horizon)}`,
        colour,
        radius * 0.037,
        0.5,
      );
    })
    .join("");
}

function drawComet(stage: Stage): string {
  const { pen, width, horizon } = stage;
  const x = width * stage.random.between(0.25, 0.6);
  const y = horizon * 0.26;
  const tail = `M${short(x)} ${short(y)}L${short(x + width * 0.26)} ${short(y - horizon * 0.2)}L${short(x + 6)} ${short(y + 7)}Z`;
  return (
    pen.light(
      tail,
      pen.linear(
        [
          [0, "#fff8dc", 0.9],
          [1, "#fff8dc", 0],
        ],
        0,
        1,
        1,
        0,
      ),
    ) +
    pen.light(oval(x + 2, y + 3, 30), pen.glow("#fff8dc", 0.7)) +
    pen.light(oval(x + 2, y + 3, 6), "#fffdf0")
  );
}

function drawFireworks(stage: Stage): string {
  const { pen, width, horizon } = stage;
  const random = stage.random.fork("fireworks");
  const colours = ["#ffd76a", "#ff7f8a", "#7fd8f0", "#b99bff", "#8ff0a8"];
  return range(5)
    .map((index) => {
      const x = width * (0.12 + index * 0.19) + random.between(-30, 30);
      const y = horizon * random.between(0.15, 0.5);
      const radius = random.between(50, 95);
      const colour = colours[index % colours.length]!;
      const rays = range(14).map((ray) => {
        const angle = (ray / 14) * Math.PI * 2;
        return `M${short(x + Math.cos(angle) * radius * 0.3)} ${short(y + Math.sin(angle) * radius * 0.3)}L${short(x + Math.cos(angle) * radius)} ${short(y + Math.sin(angle) * radius)}`;
      });
      const ends = range(14).map((ray) =>
        oval(
          x + Math.cos((ray / 14) * Math.PI * 2) * radius * 1.12,
          y + Math.sin((ray / 14) * Math.PI * 2) * radius * 1.12,
          2.6,
        ),
      );
      return (
        pen.light(oval(x, y, radius * 1.3), pen.glow(colour, 0.35)) +
        pen.line(rays.join(""), colour, 2.2, 0.85) +
        pen.light(ends.join(""), colour)
      );
    })
    .join("");
}

/** A few far birds, as two strokes each. */
export function drawFarBirds(stage: Stage, count: number): string {
  const random = stage.random.fork("far birds");
  const x = stage.width * random.between(0.2, 0.7);
  const y = stage.horizon * random.between(0.3, 0.5);
  const strokes = range(count).map(() => {
    const [bx, by, s] = [
      x + random.between(-70, 90),
      y + random.between(-40, 40),
      random.between(5, 10),
    ];
    return `M${short(bx - s)} ${short(by - s * 0.4)}Q${short(bx - s * 0.4)} ${short(by - s * 0.6)} ${short(bx)} ${short(by)}Q${short(bx + s * 0.4)} ${short(by - s * 0.6)} ${short(bx + s)} ${short(by - s * 0.5)}`;
  });
  return stage.pen.line(strokes.join(""), shade(inAir(stage, "#4a4f63", 0.35), 0), 1.8, 0.75);
}
