import { box, oval, range, short, smooth } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import type { Weather } from "../air.ts";
import type { Stage } from "./stage.ts";

/** Draws weather in front of everything else: rain, snow, fog, lightning, leaves in the wind. */
export function drawWeather(stage: Stage, weather: Weather): string {
  switch (weather) {
    case "rain":
      return drawRain(stage, 210, 0.4);
    case "storm":
      return drawLightning(stage) + drawRain(stage, 260, 0.42);
    case "snow":
      return drawSnow(stage);
    case "fog":
      return stage.pen.fill(box(0, 0, stage.width, stage.height), stage.air.haze, 0.14);
    case "wind":
      return drawGusts(stage);
    case "clear":
    case "cloudy":
    default:
      return "";
  }
}

function drawRain({ pen, width, height, random }: Stage, count: number, opacity: number): string {
  const source = random.fork("rain");
  const drops = range(count).map(() => {
    const length = source.between(14, 34);
    return `M${short(source.between(-20, width))} ${short(source.between(-20, height))}l${short(-length * 0.28)} ${short(length)}`;
  });
  return pen.line(drops.join(""), "#e6eef2", 1.5, opacity);
}

function drawSnow({ pen, width, height, random }: Stage): string {
  const source = random.fork("snow");
  const flakes = (count: number, low: number, high: number): string =>
    range(count)
      .map(() =>
        oval(source.between(0, width), source.between(0, height), source.between(low, high)),
      )
      .join("");
  return (
    pen.light(flakes(150, 1, 2.4), "#ffffff", 0.75) +
    pen.light(flakes(60, 2.6, 4.6), "#ffffff", 0.9) +
    pen.light(flakes(9, 6, 10), "#ffffff", 0.4)
  );
}

/** Draws fog behind near subjects. */
export function drawFog({ pen, width, height, horizon, air, random }: Stage): string {
  const source = random.fork("fog");
  const veils = range(4).map((index) => {
    const y = horizon * (0.86 + index * 0.13);
    const top: Point[] = range(7).map((step) => [
      (step / 6) * width * 1.1 - 30,
      y + source.between(-24, 24),
    ]);
    const paint = pen.linear([
      [0, air.haze, 0],
      [0.4, air.haze, 0.75],
      [1, air.haze, 0],
    ]);
    return pen.fill(
      `${smooth(top, false)}L${short(width + 40)} ${short(y + height * 0.17)}L-40 ${short(y + height * 0.17)}Z`,
      paint,
      0.85,
    );
  });
  return veils.join("");
}

function drawLightning({ pen, width, horizon, random }: Stage): string {
  const x = width * random.fork("bolt").between(0.2, 0.8);
  const h = horizon;
  const bolt = `M${short(x)} ${short(h * 0.12)}l${short(-h * 0.09)} ${short(h * 0.32)}h${short(h * 0.07)}l${short(-h * 0.1)} ${short(h * 0.42)}l${short(h * 0.2)} ${short(-h * 0.52)}h${short(-h * 0.08)}l${short(h * 0.09)} ${short(-h * 0.22)}Z`;
  return (
    pen.light(oval(x, h * 0.4, h * 0.55), pen.glow("#fff6d0", 0.4)) + pen.light(bolt, "#fff6cf")
  );
}

function drawGusts({ pen, width, height, random, ground }: Stage): string {
  const source = random.fork("gusts");
  const lines = range(7).map(() => {
    const [x, y, l] = [
      source.between(0, width * 0.8),
      source.between(height * 0.15, height * 0.8),
      source.between(90, 220),
    ];
    return `M${short(x)} ${short(y)}q${short(l * 0.4)} -14 ${short(l * 0.7)} 0t${short(l * 0.3)} -10q8 -16 -8 -18`;
  });
  const leaves = range(16).map(() => {
    const [x, y] = [source.between(0, width), source.between(height * 0.2, height * 0.9)];
    return `M${short(x)} ${short(y)}q8 -10 18 -4q-6 10 -18 4Z`;
  });
  return (
    pen.line(lines.join(""), "#ffffff", 2.4, 0.45) +
    pen.fill(leaves.join(""), ground.foliage[0] ?? "#7fb257", 0.95)
  );
}
