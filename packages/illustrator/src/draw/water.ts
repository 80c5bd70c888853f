import { mix, shade } from "../colour.ts";
import { box, range, short, smooth } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import type { Celestial } from "./celestial.ts";
import { inAir } from "./stage.ts";
import type { Stage } from "./stage.ts";

/** Open water between two heights, with waves and the sun's reflection. */
export function drawWater(
  stage: Stage,
  top: number,
  bottom: number,
  celestial: Celestial | null,
): string {
  const { pen, width, air, ground } = stage;
  const random = stage.random.fork("water");
  const [shallow, deep] = ground.water;
  const far = mix(inAir(stage, shallow, 0.2), air.sky[air.sky.length - 2] ?? air.haze, 0.45);
  const near = inAir(stage, deep, 0);
  const parts = [
    pen.fill(
      box(-4, top, width + 8, bottom - top + 8),
      pen.linear([
        [0, far],
        [0.4, mix(far, near, 0.55)],
        [1, near],
      ]),
    ),
  ];
  const dashes = (count: number, x: () => number, length: number): string =>
    range(count)
      .map(() => {
        const t = random.next() ** 1.3;
        const y = top + 5 + (bottom - top) * t;
        const l = length * (0.25 + t * 1.2) * random.between(0.5, 1.3);
        const h = 0.9 + t * 3;
        const at = x();
        return `M${short(at - l)} ${short(y)}q${short(l)} ${short(-h)} ${short(l * 2)} 0q${short(-l)} ${short(h)} ${short(-l * 2)} 0Z`;
      })
      .join("");
  parts.push(
    pen.fill(
      dashes(70, () => random.between(0, width), 30),
      shade(far, 0.06),
      0.5,
    ),
  );
  parts.push(
    pen.fill(
      dashes(50, () => random.between(0, width), 36),
      shade(near, -0.05),
      0.4,
    ),
  );
  if (celestial !== null) {
    const spread = celestial.radius * 1.5;
    parts.push(
      pen.light(
        dashes(42, () => celestial.x + random.between(-1, 1) * spread * random.next(), 22),
        air.sun,
        0.6,
      ),
    );
  }
  return parts.join("");
}

/** Foam where water meets the shore. */
export function drawFoam(stage: Stage, line: (x: number) => number): string {
  const points = (shift: number): Point[] =>
    range(15).map((index) => [
      (index / 14) * (stage.width + 40) - 20,
      line((index / 14) * stage.width) + shift + Math.sin(index * 2.1) * 3,
    ]);
  return (
    stage.pen.line(smooth(points(-4), false), inAir(stage, "#ffffff", 0.05), 7, 0.75) +
    stage.pen.line(smooth(points(-17), false), inAir(stage, "#ffffff", 0.1), 3, 0.45)
  );
}

/** The near part of a river: a point on the water, and the range of x that it crosses. */
export interface Stream {
  readonly x: number;
  readonly halfWidth: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Draws a river that winds from the distance to the bottom and widens towards the viewer.
 *
 * @returns the markup, and the position of its near part.
 */
export function drawRiver(stage: Stage, top: number, at: number): { markup: string; near: Stream } {
  const { pen, height, width, ground, air } = stage;
  const sway = stage.random.fork("river").pick([-1, 1]) * width * 0.13;
  const depth = height - top;
  const middle = (t: number): number =>
    at + Math.sin(t * 4.6) * sway * (0.4 + t * 0.6) - t * sway * 0.7;
  const half = (t: number): number => 7 + t ** 1.5 * width * 0.19;
  const side = (sign: number): Point[] =>
    range(11).map((index) => [
      middle(index / 10) + sign * half(index / 10),
      top + depth * (index / 10) * 1.05,
    ]);
  const shape = smooth([...side(-1), ...side(1).toReversed()]);
  const [shallow, deep] = ground.water;
  const far = mix(inAir(stage, shallow, 0.15), air.sky[air.sky.length - 2] ?? air.haze, 0.4);
  const bank = pen.line(shape, inAir(stage, shade(ground.cover[0], -0.12), 0), 9, 0.8);
  const glints = range(26).map((index) => {
    const t = 0.15 + (index / 26) * 0.85;
    const l = half(t) * stage.random.between(0.15, 0.4);
    return `M${short(middle(t) + stage.random.between(-0.5, 0.4) * half(t))} ${short(top + depth * t)}q${short(l)} ${short(-2 - t * 3)} ${short(l * 2)} 0`;
  });
  const markup =
    bank +
    pen.fill(
      shape,
      pen.linear([
        [0, far],
        [1, inAir(stage, deep, 0)],
      ]),
    ) +
    pen.line(glints.join(""), shade(far, 0.08), 2, 0.55);
  const nearby = range(6).map((index) => 0.65 + index * 0.05);
  const near = {
    x: middle(0.72),
    halfWidth: half(0.72),
    from: Math.min(...nearby.map((t) => middle(t) - half(t))),
    to: Math.max(...nearby.map((t) => middle(t) + half(t))),
  };
  return { markup, near };
}

/** A waterfall between rocks, between two heights. */
export function drawWaterfall(
  stage: Stage,
  x: number,
  top: number,
  bottom: number,
  width: number,
): string {
  const { pen } = stage;
  const rock = inAir(stage, shade(stage.ground.mountain, -0.1), 0.18);
  const side = (sign: number): string => {
    const inner: Point[] = range(5).map((index) => [
      x + sign * (width * 0.4 + (index % 2) * 8),
      top - 10 + ((bottom - top) * index) / 4,
    ]);
    const outer: Point[] = range(5)
      .map((index): Point => [
        x + sign * (width * (1.1 + index * 0.16) + (index % 2) * 22),
        top - 26 + ((bottom - top + 20) * index) / 4,
      ])
      .toReversed();
    return pen.fill(
      smooth([...inner, ...outer], true, 0.6),
      pen.linear([
        [0, shade(rock, 0.07)],
        [1, shade(rock, -0.06)],
      ]),
    );
  };
  const fall = `M${short(x - width / 2)} ${short(top)}Q${short(x)} ${short(top - 8)} ${short(x + width / 2)} ${short(top)}L${short(x + width * 0.62)} ${short(bottom)}H${short(x - width * 0.62)}Z`;
  const strands = range(7).map(
    (index) =>
      `M${short(x - width * 0.4 + (index / 6) * width * 0.8)} ${short(top + 4)}L${short(x - width * 0.5 + (index / 6) * width)} ${short(bottom - (index % 3) * 16)}`,
  );
  const water = inAir(stage, "#dff0f3", 0.08);
  return (
    side(-1) +
    side(1) +
    pen.fill(
      fall,
      pen.linear([
        [0, inAir(stage, "#a9d3dc", 0.1)],
        [1, water],
      ]),
    ) +
    pen.line(strands.join(""), "#ffffff", 3, 0.5) +
    pen.light(
      `M${short(x - width)} ${short(bottom + 8)}q${short(width * 0.2)} -26 ${short(width * 0.5)} -14q${short(width * 0.3)} -18 ${short(width * 0.6)} -2q${short(width * 0.4)} -20 ${short(width * 0.9)} 16Z`,
      "#ffffff",
      0.7,
    )
  );
}
