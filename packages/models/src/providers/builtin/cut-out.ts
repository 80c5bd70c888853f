import { setImmediate } from "node:timers/promises";
import { AppError } from "@atelier/schemas";
import sharp from "sharp";
import { inPixelTurn } from "../../pixel-turns.ts";
import type { ImageFile, ProviderImage } from "../../provider.ts";
import { CallEnded } from "../http/call-ended.ts";
import { fitBackground, valueAt, type Background } from "./fit-background.ts";

/** The largest difference of a channel from the background that counts as background. */
const flat = 14;
/** The share of the border that must be background. */
const minBorder = 0.6;
/** The share of the image that must remain. */
const minSubject = 0.001;
/** Pixels that are worked on before other work gets a turn. */
const pixelsPerTurn = 100_000;

interface Picture {
  /** RGBA. */
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Makes a flat or nearly flat background transparent: its colour may change evenly across the image. What
 * is connected to the border is removed; at its edges, pixels become transparent by their share of the
 * background, which is taken out of their colour.
 *
 * @throws CallEnded `invalid-request` with `model_not_capable` for another background.
 */
export async function cutOut({ image }: { readonly image: ImageFile }): Promise<ProviderImage> {
  const { width, height } = (await sharp(image.bytes).metadata()).autoOrient;
  return inPixelTurn(width * height, async () => {
    const { data } = await sharp(image.bytes)
      .autoOrient()
      .toColourspace("srgb")
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const picture = { data, width, height };
    const background = fitBackground(borderOf(picture), picture);
    const border = borderOf(picture).filter((at) => differenceAt(picture, background, at) <= flat);
    if (border.length < minBorder * borderOf(picture).length) {
      throw notFlat("its background is not flat");
    }
    const removed = await spread(picture, background, border);
    const kept = await makeTransparent(picture, background, removed);
    if (kept < minSubject * width * height) throw notFlat("nothing is left without its background");
    const raw = { width, height, channels: 4 } as const;
    const bytes = await sharp(data, { raw }).png({ compressionLevel: 1 }).toBuffer();
    return { bytes, mediaType: "image/png", hasAlpha: true };
  });
}

/** The pixels at the border, by their index. */
function borderOf({ width, height }: Picture): number[] {
  const columns = Array.from({ length: width }, (_, x) => [x, (height - 1) * width + x]);
  const rows = Array.from({ length: height }, (_, y) => [y * width, y * width + width - 1]);
  return [...columns, ...rows].flat();
}

/** The largest difference of a channel from the background; a transparent pixel is background. */
function differenceAt({ data, width }: Picture, background: Background, at: number): number {
  if (data[at * 4 + 3] === 0) return 0;
  const x = at % width;
  const y = (at - x) / width;
  return Math.max(
    Math.abs((data[at * 4] ?? 0) - valueAt(background[0], x, y)),
    Math.abs((data[at * 4 + 1] ?? 0) - valueAt(background[1], x, y)),
    Math.abs((data[at * 4 + 2] ?? 0) - valueAt(background[2], x, y)),
  );
}

/** Marks the background that is connected to the border with 1. */
async function spread(
  picture: Picture,
  background: Background,
  border: readonly number[],
): Promise<Uint8Array> {
  const { width, height } = picture;
  const removed = new Uint8Array(width * height);
  const open = [...border];
  for (const at of border) removed[at] = 1;
  const visit = (at: number) => {
    if (removed[at] === 1 || differenceAt(picture, background, at) > flat) return;
    removed[at] = 1;
    open.push(at);
  };
  let count = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const x = at % width;
    if (x > 0) visit(at - 1);
    if (x < width - 1) visit(at + 1);
    if (at >= width) visit(at - width);
    if (at < width * (height - 1)) visit(at + width);
    count += 1;
    if (count % pixelsPerTurn === 0) await setImmediate();
  }
  return removed;
}

/**
 * Sets the alpha of the background, and of the pixels beside it.
 *
 * @returns the number of pixels that are visible.
 */
async function makeTransparent(
  picture: Picture,
  background: Background,
  removed: Uint8Array,
): Promise<number> {
  const { data, width, height } = picture;
  const edges = new Map<number, number>();
  let kept = 0;
  for (let at = 0; at < width * height; at += 1) {
    if (at % pixelsPerTurn === 0) await setImmediate();
    if (removed[at] === 1) continue;
    kept += 1;
    if (isAtEdge(removed, at, width)) edges.set(at, shareOf(picture, background, at));
  }
  // Afterwards, because the shares are those of the original colours.
  for (const [at, share] of edges) soften(picture, background, at, share);
  for (let at = 0; at < width * height; at += 1) {
    if (at % pixelsPerTurn === 0) await setImmediate();
    if (removed[at] === 1) clear(data, at * 4);
  }
  return kept;
}

/** Writes single bytes: `fill` takes several times as long for four of them. */
function clear(data: Buffer, start: number): void {
  data[start] = 0;
  data[start + 1] = 0;
  data[start + 2] = 0;
  data[start + 3] = 0;
}

/** Whether a removed pixel is at most two away in a row or a column; a row may continue in the next one. */
function isAtEdge(removed: Uint8Array, at: number, width: number): boolean {
  return (
    removed[at - 1] === 1 ||
    removed[at + 1] === 1 ||
    removed[at - width] === 1 ||
    removed[at + width] === 1 ||
    removed[at - 2] === 1 ||
    removed[at + 2] === 1 ||
    removed[at - 2 * width] === 1 ||
    removed[at + 2 * width] === 1
  );
}

/** The pixels that are at most two away, in a row, in a column or on a diagonal. */
function pixelsAround(at: number, { width, height }: Picture): number[] {
  const x = at % width;
  const y = (at - x) / width;
  const found: number[] = [];
  for (const step of [-2, -1, 1, 2]) {
    const [column, row] = [x + step, y + step];
    const hasColumn = column >= 0 && column < width;
    const hasRow = row >= 0 && row < height;
    if (hasColumn) found.push(at + step);
    if (hasRow) found.push(at + step * width);
    if (hasColumn && hasRow) found.push(at + step * width + step);
    if (hasColumn && y - step >= 0 && y - step < height) found.push(at - step * width + step);
  }
  return found;
}

/** The share of the subject in a pixel: its difference from the background, relative to that beside it. */
function shareOf(picture: Picture, background: Background, at: number): number {
  const own = differenceAt(picture, background, at);
  const near = pixelsAround(at, picture);
  const most = Math.max(own, ...near.map((one) => differenceAt(picture, background, one)));
  return own / most;
}

/** Splits a pixel into the background and the subject in front of it. */
function soften({ data, width }: Picture, background: Background, at: number, share: number): void {
  const x = at % width;
  const y = (at - x) / width;
  for (const [channel, plane] of background.entries()) {
    const seen = data[at * 4 + channel] ?? 0;
    const own = (seen - valueAt(plane, x, y) * (1 - share)) / share;
    data[at * 4 + channel] = Math.min(255, Math.max(0, Math.round(own)));
  }
  data[at * 4 + 3] = Math.round((data[at * 4 + 3] ?? 255) * share);
}

function notFlat(reason: string): CallEnded {
  const problem = new AppError(
    "model_not_capable",
    `The model cannot cut this image out: ${reason}. Use an image with a flat background, or another model; nothing was charged.`,
    { details: { capability: "remove-background" } },
  ).at("image");
  return new CallEnded({ kind: "invalid-request", message: reason, problem });
}
