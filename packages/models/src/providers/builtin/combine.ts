import { pixelSize } from "@atelier/illustrator/pixel-size";
import sharp, { type OutputInfo, type Sharp } from "sharp";
import { inPixelTurn } from "../../pixel-turns.ts";
import type { ProviderReference, ProviderRequest } from "../../provider.ts";
import { invalidRequest } from "../http/call-ended.ts";

/** A rectangle in shares of the picture. */
type Cell = readonly [left: number, top: number, width: number, height: number];

/** The space between the images of a collage, as a share of its shorter edge. */
const gap = 0.02;
const papers = ["#f4efe6", "#e9eef2", "#f2ece9", "#eaf0ea"];

/**
 * Combines images. If every description names something that can be drawn, all of them appear in one
 * scene with the prompt; otherwise the images themselves become a collage.
 *
 * @throws CallEnded `invalid-request` without images, or for an image that cannot be read.
 */
export async function combine(request: ProviderRequest): Promise<Uint8Array> {
  const { aspectRatio, imageSize, pixels, references } = request;
  if (references.length === 0) throw invalidRequest("no images to combine");
  const size = pixels ?? pixelSize(aspectRatio, imageSize);
  if (size === null) throw invalidRequest(`no size for ${imageSize} at ${aspectRatio}`);
  const { readPart } = await import("@atelier/illustrator");
  const parts = references.map((reference) => ({
    reference,
    part: readPart(reference.description),
  }));
  const isDrawable = parts.every(({ part }) => part !== null);
  return inPixelTurn(size.width * size.height, () =>
    isDrawable ? drawTogether(request, parts) : collage(request, size),
  );
}

async function drawTogether(
  { aspectRatio, imageSize, pixels, prompt, seed }: ProviderRequest,
  parts: readonly {
    readonly reference: ProviderReference;
    readonly part: ReturnType<typeof import("@atelier/illustrator").readPart>;
  }[],
): Promise<Uint8Array> {
  // A scene has one place; further places are things of it.
  const location = parts.find(({ part }) => part === "location");
  const words = parts
    .filter((one) => one.part !== "character" && one !== location)
    .map(({ reference }) => reference.description);
  const { draw } = await import("@atelier/illustrator");
  return draw({
    kind: "scene",
    prompt: [prompt, ...words].join(". "),
    references: parts
      .filter((one) => one.part === "character" || one === location)
      .map(({ reference, part }) => ({
        ...reference,
        role: part === "character" ? "character" : "location",
      })),
    seed,
    aspectRatio,
    imageSize,
    ...(pixels !== undefined && { pixels }),
  });
}

async function collage(
  { references, seed }: ProviderRequest,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Uint8Array> {
  const space = Math.min(width, height) * gap;
  const tiles = [];
  const sources = createSources(references.map(({ bytes }) => bytes));
  for (const [index, cell] of cellsFor(references.length, width >= height).entries()) {
    const reference = references[index];
    if (reference === undefined) continue;
    const [left, top, across, down] = cell;
    const x = Math.round(left * (width - space) + space);
    const y = Math.round(top * (height - space) + space);
    const tile = {
      width: Math.max(1, Math.round((left + across) * (width - space)) - x),
      height: Math.max(1, Math.round((top + down) * (height - space)) - y),
    };
    tiles.push({
      input: await fillTile(await sources.open(reference.bytes), tile),
      left: x,
      top: y,
    });
  }
  const background = papers[seed % papers.length] ?? "#ffffff";
  return sharp({ create: { width, height, channels: 3, background } })
    .composite(tiles)
    .removeAlpha()
    .png({ compressionLevel: 2 })
    .toBuffer();
}

/** Opens images to draw; one that is used several times is decoded once, and its pixels are kept. */
function createSources(all: readonly Uint8Array[]) {
  const decoded = new Map<Uint8Array, Promise<Pixels>>();
  return {
    async open(bytes: Uint8Array): Promise<Sharp> {
      if (all.filter((other) => other === bytes).length === 1) return sharp(bytes).autoOrient();
      const decoding = decoded.get(bytes) ?? decode(bytes);
      decoded.set(bytes, decoding);
      const { data, info } = await decoding;
      return sharp(data, { raw: info });
    },
  };
}

interface Pixels {
  readonly data: Buffer;
  readonly info: OutputInfo;
}

async function decode(bytes: Uint8Array): Promise<Pixels> {
  try {
    return await sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true });
  } catch {
    throw invalidRequest("an image to combine cannot be read");
  }
}

async function fillTile(
  source: Sharp,
  tile: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  try {
    return await source
      .resize({ ...tile, fit: "cover", position: "attention" })
      .png({ compressionLevel: 1 })
      .toBuffer();
  } catch {
    throw invalidRequest("an image to combine cannot be read");
  }
}

/** The places of up to five images; on a tall picture, rows and columns are swapped. */
function cellsFor(count: number, isWide: boolean): readonly Cell[] {
  const row = (items: number, top: number, height: number): Cell[] =>
    Array.from({ length: items }, (_, index) => [index / items, top, 1 / items, height]);
  const wide: readonly Cell[] =
    count <= 2
      ? row(count, 0, 1)
      : count === 3
        ? [
            [0, 0, 0.6, 1],
            [0.6, 0, 0.4, 0.5],
            [0.6, 0.5, 0.4, 0.5],
          ]
        : [...row(Math.floor(count / 2), 0, 0.5), ...row(count - Math.floor(count / 2), 0.5, 0.5)];
  return isWide ? wide : wide.map(([left, top, width, height]) => [top, left, height, width]);
}
