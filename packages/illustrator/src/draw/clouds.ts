import { mix } from "../colour.ts";
import { box, oval, range } from "../geometry.ts";
import type { Weather } from "../air.ts";
import type { Random } from "../random.ts";
import type { Celestial } from "./celestial.ts";
import type { Stage } from "./stage.ts";

/** A cumulus cloud: round heads over a flat base. */
function cumulus(random: Random, x: number, y: number, size: number): string {
  const heads = range(random.whole(4, 6));
  const step = (size * 1.5) / heads.length;
  const bumps = heads.map((index) => {
    const middle = 1 - Math.abs((index + 0.5) / heads.length - 0.5) * 1.5;
    const radius = size * (0.2 + 0.26 * middle) * random.between(0.85, 1.15);
    return oval(x - size * 0.75 + step * (index + 0.5), y - radius * 0.55, radius);
  });
  return (
    bumps.join("") + box(x - size * 0.95, y - size * 0.2, size * 1.9, size * 0.24, size * 0.12)
  );
}

/** The number of clouds: fewer if the sky shows something else. */
function cloudCount(weather: Weather, features: ReadonlySet<string>, random: Random): number {
  if (features.has("cloudless") && !features.has("cloud")) return 0;
  if (isHeavy(weather)) return 8;
  if (weather === "snow") return 4;
  if (features.has("cloud")) return 6;
  if (weather === "fog" || features.has("aurora") || features.has("stars")) return 1;
  return random.whole(2, 4);
}

function isHeavy(weather: Weather): boolean {
  return weather === "cloudy" || weather === "rain" || weather === "storm";
}

/**
 * Returns an x for a cloud that does not cover the sun or moon: the given one, or one on the other
 * side.
 */
export function besideOf(
  celestial: Celestial,
  x: number,
  y: number,
  size: number,
  width: number,
): number {
  const reach = size * 1.1 + celestial.radius;
  const level = Math.abs(y - size * 0.3 - celestial.y) < size * 0.6 + celestial.radius;
  if (!level || Math.abs(x - celestial.x) >= reach) return x;
  return celestial.x > width / 2
    ? Math.min(width - x, celestial.x - reach)
    : Math.max(width - x, celestial.x + reach);
}

/** Draws the clouds of the weather next to the sun or moon. */
export function drawClouds(
  stage: Stage,
  weather: Weather,
  features: ReadonlySet<string>,
  celestial: Celestial,
): string {
  const { pen, width, height, horizon, air } = stage;
  const random = stage.random.fork("clouds");
  const heavy = isHeavy(weather);
  const count = cloudCount(weather, features, random);
  const unit = Math.min(width, height);
  const phase = random.next();
  return range(count)
    .map((index) => {
      const nearness = heavy ? random.between(0.55, 1) : 1 - index / (count + 1);
      const size = unit * (heavy ? 0.26 : 0.17) * (0.35 + nearness * 0.75);
      const first = width * (((phase + index * 0.618 + random.between(0, 0.2)) % 1) * 1.1 - 0.05);
      const y =
        horizon *
        (heavy ? random.between(0.06, 0.42) : 0.68 - nearness * 0.5 + random.between(-0.05, 0.05));
      const x = heavy ? first : besideOf(celestial, first, y, size, width);
      const seeded = random.fork(`cloud ${index}`);
      const shape = cumulus(seeded, x, y, size);
      const lower = cumulus(
        random.fork(`cloud ${index}`),
        x + size * 0.1,
        y + size * 0.1,
        size * 0.98,
      );
      const strength = heavy ? 0.8 : 0.45 + nearness * 0.4;
      return (
        pen.fill(lower, mix(air.cloudShade, air.haze, 0.2), strength * 0.75) +
        pen.fill(shape, air.cloudLight, strength)
      );
    })
    .join("");
}
