import {
  isResultSize,
  maxMargin,
  maxResultEdge,
  maxResultPixels,
  type PixelSize,
} from "@atelier/schemas/pixel-size";
import type { ChangeValues } from "../../changes.ts";

/** The sides of an image, in the order of its handles. */
export const sides = ["top", "right", "bottom", "left"] as const;
export type Side = (typeof sides)[number];

/** Whether a field of a form is the margin of a side. */
export function isSide(name: string): boolean {
  return sides.some((side) => side === name);
}

/** The pixels that are added at each side. */
export type Margins = Readonly<Record<Side, number>>;

/** The shapes that an image can be extended to by one click, in the order of a new image. */
export const targetRatios = ["1:1", "4:3", "3:4", "3:2", "2:3", "16:9", "9:16", "21:9"] as const;

/** The margins of a form; those that it lacks are 0. */
export function marginsOf(values: ChangeValues): Margins {
  const of = (side: Side) => Math.max(0, Math.round(Number(values[side] ?? 0)) || 0);
  return { top: of("top"), right: of("right"), bottom: of("bottom"), left: of("left") };
}

/** The values of a form with other margins. A margin of 0 is left out, as the service reads it. */
export function withMargins(values: ChangeValues, margins: Margins): ChangeValues {
  const others = Object.entries(values).filter(([name]) => !isSide(name));
  const given = sides.filter((side) => margins[side] > 0).map((side) => [side, margins[side]]);
  return Object.fromEntries([...others, ...given]) as ChangeValues;
}

/** The size of an image with its margins. */
export function sizeWith({ width, height }: PixelSize, margins: Margins): PixelSize {
  const { top, right, bottom, left } = margins;
  return { width: width + left + right, height: height + top + bottom };
}

/** The largest margin of a side that the service accepts together with the other margins. */
export function largestMargin(image: PixelSize, margins: Margins, side: Side): number {
  const { width, height } = sizeWith(image, { ...margins, [side]: 0 });
  const [along, across] = side === "left" || side === "right" ? [width, height] : [height, width];
  const edge = Math.min(maxResultEdge, Math.floor(maxResultPixels / across));
  return Math.max(0, Math.min(maxMargin, edge - along));
}

/** Margins with one of them as close to a number of pixels as the service accepts. */
export function moveSide(image: PixelSize, margins: Margins, side: Side, pixels: number): Margins {
  const largest = largestMargin(image, margins, side);
  return { ...margins, [side]: Math.min(Math.max(Math.round(pixels), 0), largest) };
}

/**
 * The margins that give an image a shape, half of them at each of two sides. Null when the image has that shape,
 * and when the result would be larger than the service makes.
 *
 * @param ratio such as "16:9".
 */
export function marginsFor(image: PixelSize, ratio: string): Margins | null {
  const [across = 1, down = 1] = ratio.split(":").map(Number);
  const { width, height } = image;
  const more = {
    width: Math.max(0, Math.round((height * across) / down) - width),
    height: Math.max(0, Math.round((width * down) / across) - height),
  };
  if (more.width + more.height === 0) return null;
  const margins = {
    top: Math.floor(more.height / 2),
    right: Math.ceil(more.width / 2),
    bottom: Math.ceil(more.height / 2),
    left: Math.floor(more.width / 2),
  };
  const isPossible = sides.every((side) => margins[side] <= maxMargin);
  return isPossible && isResultSize(sizeWith(image, margins)) ? margins : null;
}

/** Whether an image with its margins has a shape, up to the rounding to pixels. */
export function hasShape(image: PixelSize, margins: Margins, ratio: string): boolean {
  const [across = 1, down = 1] = ratio.split(":").map(Number);
  const { width, height } = sizeWith(image, margins);
  return Math.abs(width - (height * across) / down) <= 1;
}
