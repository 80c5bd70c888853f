import { mix, oklch, shade, withChroma } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { box, oval, polygon, range, smooth } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import { createRandom } from "../random.ts";
import type { Random } from "../random.ts";
import type { Mood, Place, Scene } from "../scene.ts";
import type { Canvas } from "./canvas.ts";

/**
 * Per mood: the number of bands, discs and shards, and the wave height as a share of the height.
 */
const shapes: Readonly<
  Record<Mood | "balanced", { bands: number; wave: number; discs: number; shards: number }>
> = {
  calm: { bands: 7, wave: 0.03, discs: 2, shards: 0 },
  balanced: { bands: 5, wave: 0.07, discs: 5, shards: 3 },
  lively: { bands: 3, wave: 0.13, discs: 11, shards: 9 },
  dark: { bands: 6, wave: 0.06, discs: 3, shards: 4 },
};

/**
 * Composes bands, discs and shards in the colours and mood of a prompt that names nothing to draw.
 */
export function composeAbstract(
  { pen, width, height, unit }: Canvas,
  { seed }: Scene,
  { colours, mood }: Extract<Place, { kind: "abstract" }>,
): string {
  const random = createRandom(seed);
  const palette = paletteOf(colours, mood, random.fork("palette"));
  const { bands, wave, discs, shards } = shapes[mood ?? "balanced"];
  const [first = "#8d9297"] = palette;
  const sheet = mix(first, mood === "dark" ? "#15131c" : "#fbf4e6", 0.72);
  const ground = pen.fill(
    box(-4, -4, width + 8, height + 8),
    pen.linear([
      [0, shade(sheet, 0.03)],
      [1, shade(sheet, -0.06)],
    ]),
  );
  const at = random.fork("shapes");
  // Slanted, because level bands would look like hills.
  const slant = at.pick([-1, 1] as const) * at.between(28, 65);
  const side = Math.hypot(width, height) * 1.15;
  const slanted = range(bands).map((index) => {
    const top = side * ((0.82 * index) / bands - 0.32);
    // Use the colours in turn, so that every requested colour appears.
    const colour = palette[(index * 3 + at.whole(0, 2)) % palette.length] ?? first;
    return pen.fill(band(side, top, side * wave, at), colour, 0.62);
  });
  const parts = [
    pen.place(slanted.join(""), width / 2, height / 2, 1, 1, slant),
    ...range(shards).map(() => pen.fill(shard(width, height, unit, at), at.pick(palette), 0.55)),
    ...range(discs).map(() => {
      const radius = unit * at.between(0.04, mood === "calm" ? 0.22 : 0.16);
      const disc = oval(at.between(0, width), at.between(0, height * 0.8), radius);
      const colour = at.pick(palette);
      return at.chance(0.3)
        ? pen.line(disc, shade(colour, -0.08), unit * 0.008, 0.8)
        : pen.fill(disc, colour, 0.78);
    }),
  ];
  return ground + parts.join("");
}

/**
 * The prompt's colours with lighter and darker variants, or colours that fit the mood if it has
 * none.
 */
function paletteOf(colours: readonly Colour[], mood: Mood | null, random: Random): Colour[] {
  const hue = random.between(0, 360);
  const [lightness, chroma] =
    mood === "dark" ? [0.42, 0.07] : mood === "calm" ? [0.74, 0.07] : [0.68, 0.14];
  const base =
    colours.length > 0
      ? colours
      : [0, 34, 190].map((turn) => oklch(lightness, chroma, (hue + turn) % 360));
  const toned = mood === "dark" ? base.map((colour) => shade(withChroma(colour, 0.8), -0.1)) : base;
  return toned.flatMap((colour) => [colour, shade(colour, 0.1), shade(colour, -0.1)]);
}

/**
 * A band with a wavy upper edge, extending to the bottom of a square of this side centred on the
 * origin.
 */
function band(side: number, top: number, wave: number, random: Random): string {
  const edge = range(6).map((index): Point => [
    side * (index / 5 - 0.5),
    top + random.between(-wave, wave),
  ]);
  const corners: Point[] = [
    [side / 2, side / 2],
    [-side / 2, side / 2],
  ];
  return `${smooth(edge, false)}L${polygon(corners).slice(1)}`;
}

/** A triangle at a random position. */
function shard(width: number, height: number, unit: number, random: Random): string {
  const [x, y] = [random.between(0, width), random.between(0, height)];
  const turn = random.between(0, Math.PI * 2);
  const corner = (angle: number): Point => {
    const reach = unit * random.between(0.05, 0.2);
    return [x + Math.cos(turn + angle) * reach, y + Math.sin(turn + angle) * reach];
  };
  return polygon([0, 2, 4].map(corner));
}
