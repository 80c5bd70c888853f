import { mix, shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { oval, polygon, range, short, smooth } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import type { Random } from "../random.ts";
import { inAir } from "./stage.ts";
import type { Stage } from "./stage.ts";

/** A line over the whole width: maps x to y, smooth between a few heights. */
export type Ridge = (x: number) => number;

/**
 * A rolling ridge around y.
 *
 * @param swing amplitude of the waves.
 */
export function rollingRidge(random: Random, width: number, y: number, swing: number): Ridge {
  const waves = range(3).map((index) => ({
    length: width / (0.7 + index * 0.9 + random.between(0, 0.5)),
    start: random.between(0, Math.PI * 2),
    height: swing / (1 + index * 1.2),
  }));
  return (x) =>
    waves.reduce(
      (sum, wave) =>
        sum + Math.sin((x / wave.length) * Math.PI * 2 + wave.start) * wave.height * 0.5,
      y,
    );
}

/** The area below a ridge, down to the bottom of the picture. */
export function belowRidge(stage: Stage, ridge: Ridge, steps = 14): string {
  const top: Point[] = range(steps + 1).map((index) => {
    const x = (index / steps) * (stage.width + 40) - 20;
    return [x, ridge(x)];
  });
  return `${smooth(top, false)}L${short(stage.width + 20)} ${short(stage.height + 20)}L-20 ${short(stage.height + 20)}Z`;
}

/** Mountains along the horizon, with light and dark faces, fading into haze at their feet. */
export function drawMountains(
  stage: Stage,
  height: number,
  distance: number,
  colour: Colour,
  snow: number,
  purpose: string,
): string {
  const { pen, width, horizon } = stage;
  const random = stage.random.fork(purpose);
  const count = Math.max(3, Math.round(width / (height * 1.35)));
  const peaks = range(count)
    .map((index) => ({
      x: ((index + 0.5 + random.between(-0.32, 0.32)) / count) * width,
      rise: height * random.between(0.55, 1),
    }))
    .sort((one, other) => other.rise - one.rise);
  const base = horizon + 6;
  return peaks
    .map(({ x, rise }) => {
      const reach = rise * random.between(1.0, 1.45);
      const edge = (side: number): Point[] =>
        range(7).map((step) => {
          const t = step / 6;
          const jag = step === 0 || step === 6 ? 0 : random.between(-0.05, 0.05) * rise;
          return [x + side * reach * t ** 0.92 + jag * 0.5, base - rise * (1 - t) ** 1.08 + jag];
        });
      const left = edge(-1);
      const right = edge(1);
      const spine: Point[] = range(6).map((step) => [
        x + (step % 2 === 0 ? -1 : 1) * rise * 0.04 * step + reach * 0.05 * step,
        base - rise * (1 - (step + 1) / 6.4),
      ]);
      const lit = inAir(stage, colour, distance);
      const dark = mix(shade(lit, -0.09), stage.air.haze, 0.06);
      const fade = (tone: Colour): ReturnType<typeof pen.linear> =>
        pen.linear([
          [0, tone],
          [0.55, mix(tone, stage.air.haze, 0.22)],
          [1, mix(tone, stage.air.haze, 0.68)],
        ]);
      const body = pen.fill(
        polygon([...left.toReversed(), ...right.slice(1)]),
        fade(shade(lit, 0.03)),
      );
      const shadow = pen.fill(
        polygon([left[0]!, ...spine, [x + reach * 0.2, base], ...right.toReversed()]),
        fade(dark),
        0.99,
      );
      const line = Math.floor(6 * snow);
      if (line < 1) return body + shadow;
      const cap = (points: readonly Point[]): Point[] => points.slice(0, line + 1);
      const teeth: Point[] = range(7).map((tooth) => {
        const from = left[line]!;
        const to = right[line]!;
        const t = (tooth + 0.5) / 7;
        return [
          from[0] + (to[0] - from[0]) * t,
          from[1] +
            (to[1] - from[1]) * t +
            (tooth % 2 === 0 ? 0.09 : -0.07) * rise * random.between(0.5, 1.1),
        ];
      });
      const white = inAir(stage, "#f8f8f6", distance * 0.5);
      const snowCap = pen.fill(
        polygon([...cap(left).toReversed(), ...cap(right).slice(1), ...teeth.toReversed()]),
        white,
        0.99,
      );
      const snowShade = pen.fill(
        polygon([left[0]!, ...cap(right).slice(1), ...teeth.slice(4).toReversed(), spine[0]!]),
        inAir(stage, "#b8c4dc", distance * 0.5),
        0.9,
      );
      return body + shadow + snowCap + snowShade;
    })
    .join("");
}

/** A hill with a lit crest. */
export function drawHill(
  stage: Stage,
  ridge: Ridge,
  colour: Colour,
  distance: number,
  deep = 0.09,
): string {
  const crest = inAir(stage, shade(colour, 0.05), distance);
  const foot = inAir(stage, shade(colour, -deep), distance);
  return stage.pen.fill(
    belowRidge(stage, ridge),
    stage.pen.linear([
      [0, crest],
      [0.35, mix(crest, foot, 0.45)],
      [1, foot],
    ]),
  );
}

/** Bands of fields across a hill. */
export function drawFields(stage: Stage, ridge: Ridge, colour: Colour, distance: number): string {
  const { pen, width, height } = stage;
  const random = stage.random.fork(`fields ${short(distance)}`);
  const bands = range(4).map((index) => {
    const y = (x: number): number =>
      ridge(x) + height * (0.018 + index * 0.026) + Math.sin(x / 130 + index) * 5;
    const from = random.between(-0.1, 0.5) * width;
    const to = from + width * random.between(0.3, 0.6);
    const top: Point[] = range(7).map((step) => [
      from + ((to - from) * step) / 6,
      y(from + ((to - from) * step) / 6),
    ]);
    const bottom: Point[] = top
      .map(([x, base], step): Point => [x, base + Math.sin((step / 6) * Math.PI) * height * 0.017])
      .toReversed();
    return pen.fill(
      smooth([...top, ...bottom]),
      inAir(stage, shade(colour, index % 2 === 0 ? 0.07 : -0.05), distance),
      0.75,
    );
  });
  return bands.join("");
}

/** Small round trees and bushes far away along a ridge. */
export function drawFarTrees(
  stage: Stage,
  ridge: Ridge,
  count: number,
  size: number,
  distance: number,
): string {
  const random = stage.random.fork(`far trees ${short(distance)}`);
  const rounds: string[] = [];
  const cones: string[] = [];
  const clumps = range(4).map(() => random.between(0, stage.width));
  for (const index of range(count)) {
    const x = clumps[index % 4]! + random.between(-1, 1) * stage.width * 0.11;
    const s = size * random.between(0.6, 1.2);
    const y = ridge(x) + s * 0.25 + random.between(0, size * 0.9);
    if (index % 3 === 0)
      cones.push(
        `M${short(x)} ${short(y - s * 2.1)}L${short(x + s * 0.62)} ${short(y)}H${short(x - s * 0.62)}Z`,
      );
    else rounds.push(oval(x, y - s * 0.7, s * 0.72, s * 0.8));
  }
  const leaf = stage.ground.foliage[1] ?? "#5f9a5c";
  return (
    stage.pen.fill(cones.join(""), inAir(stage, stage.ground.conifer, distance), 0.97) +
    stage.pen.fill(rounds.join(""), inAir(stage, shade(leaf, -0.05), distance), 0.97)
  );
}

/** Tufts of grass, flowers and stones on the near ground between two heights. */
export function drawUndergrowth(stage: Stage, top: Ridge, flowers: number, tufts: number): string {
  const { pen, width, height, ground } = stage;
  const random = stage.random.fork("undergrowth");
  const blades: string[] = [];
  const heads = new Map<Colour, string[]>();
  const stems: string[] = [];
  const spot = (): { x: number; y: number; near: number } => {
    const x = random.between(0, width);
    const line = top(x) + 12;
    const t = random.next() ** 0.7;
    return { x, y: line + (height - line) * t, near: 0.45 + t * 0.9 };
  };
  for (const _ of range(tufts)) {
    const { x, y, near } = spot();
    const l = 13 * near;
    blades.push(
      `M${short(x - 3 * near)} ${short(y)}q${short(-2 * near)} ${short(-l * 0.6)} ${short(-4 * near)} ${short(-l)}q${short(5 * near)} ${short(l * 0.4)} ${short(6 * near)} ${short(l * 0.7)}q0 ${short(-l * 0.8)} ${short(3 * near)} ${short(-l * 1.2)}q${short(2 * near)} ${short(l * 0.6)} ${short(2 * near)} ${short(l * 1.1)}q${short(4 * near)} ${short(-l * 0.5)} ${short(6 * near)} ${short(-l * 0.7)}q${short(-1 * near)} ${short(l * 0.5)} ${short(-4 * near)} ${short(l)}Z`,
    );
  }
  for (const _ of range(flowers)) {
    const { x, y, near } = spot();
    const colour = random.pick(ground.flowers);
    const list = heads.get(colour) ?? [];
    const h = random.between(10, 20) * near;
    stems.push(`M${short(x)} ${short(y)}q${short(2 * near)} ${short(-h * 0.5)} 0 ${short(-h)}`);
    const r = 2.7 * near;
    list.push(
      oval(x - r, y - h, r) +
        oval(x + r, y - h, r) +
        oval(x, y - h - r, r) +
        oval(x, y - h + r * 0.8, r),
    );
    heads.set(colour, list);
  }
  const base = ground.cover[0];
  return (
    pen.fill(blades.join(""), inAir(stage, shade(base, ground.snowy ? -0.1 : -0.08), 0), 0.95) +
    pen.line(stems.join(""), inAir(stage, shade(base, -0.14), 0), 1.4) +
    [...heads]
      .map(([colour, list]) => pen.fill(list.join(""), inAir(stage, colour, 0), 0.97))
      .join("")
  );
}

/** A path that winds from the bottom into the distance. */
export function drawPath(stage: Stage, top: number, at: number, colour: Colour): string {
  const { pen, height } = stage;
  const depth = height - top;
  const sway = stage.random.fork("path").pick([-1, 1]) * stage.width * 0.09;
  const middle = (t: number): number =>
    at + Math.sin(t * 4.4) * sway * (1 - t * 0.5) + t * t * sway * 1.4;
  const half = (t: number): number => 5 + t * t * stage.width * 0.085;
  const left: Point[] = range(9).map((index) => [
    middle(index / 8) - half(index / 8),
    top + depth * (index / 8) * 1.06,
  ]);
  const right: Point[] = range(9)
    .map((index): Point => [middle(index / 8) + half(index / 8), top + depth * (index / 8) * 1.06])
    .toReversed();
  const light = inAir(stage, shade(colour, 0.06), 0.05);
  return pen.fill(
    smooth([...left, ...right]),
    pen.linear([
      [0, light],
      [1, inAir(stage, shade(colour, -0.03), 0)],
    ]),
  );
}
