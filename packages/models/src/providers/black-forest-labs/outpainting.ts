import type { OutpaintTask, PixelSize } from "@atelier/schemas";
import sharp from "sharp";
import { inPixelTurn } from "../../pixel-turns.ts";
import type { ProviderImage, ProviderTool } from "../../provider.ts";
import { toBase64 } from "../encode-reference.ts";
import { mayHaveManifest } from "../edit/canvas.ts";
import { putBack } from "../edit/enlarge.ts";

type Outpainting = Extract<ProviderTool, OutpaintTask>;

/** Pixels of an output: the vendor scales more than 4 MP down and bills each started one. */
const maxPixels = 1024 ** 2;
/**
 * Edges and places are multiples of this many pixels. According to third parties, others can leave the area
 * unpainted.
 */
const step = 16;
const minEdge = 64;

/** The size to ask for, and where in it the image is. */
interface Placement {
  readonly canvas: PixelSize;
  readonly box: PixelSize & { readonly left: number; readonly top: number };
}

/** The size of the output of an extension with so many pixels. */
export function canvasOf({ width, height }: PixelSize): PixelSize {
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)));
  const edge = (pixels: number) => Math.max(minEdge, Math.floor((pixels * scale) / step) * step);
  return { width: edge(width), height: edge(height) };
}

function place(pixels: PixelSize, { margins }: Outpainting): Placement {
  const canvas = canvasOf(pixels);
  const across = canvas.width / pixels.width;
  const down = canvas.height / pixels.height;
  const start = (at: number) => Math.round(at / step) * step;
  const left = Math.min(canvas.width - step, start(margins.left * across));
  const top = Math.min(canvas.height - step, start(margins.top * down));
  const right = start((pixels.width - margins.right) * across);
  const bottom = start((pixels.height - margins.bottom) * down);
  const box = {
    left,
    top,
    width: Math.max(step, right - left),
    height: Math.max(step, bottom - top),
  };
  return { canvas, box };
}

/** The body of a request to extend an image, scaled to the pixels that the vendor makes. */
export async function describeOutpainting(
  prompt: string,
  pixels: PixelSize,
  task: Outpainting,
): Promise<object> {
  const { canvas, box } = place(pixels, task);
  const image = await inPixelTurn(pixels.width * pixels.height, () =>
    sharp(task.image.bytes)
      .flatten({ background: "#fff" })
      .toColourspace("srgb")
      .resize({ width: box.width, height: box.height, fit: "fill" })
      .png({ compressionLevel: 6 })
      .toBuffer(),
  );
  return {
    input_image: toBase64({ bytes: image }),
    ...canvas,
    reference_offset_x: box.left,
    reference_offset_y: box.top,
    output_format: "png",
    ...(prompt !== "" && { prompt }),
  };
}

/** Scales an output to the size of the extended image, and puts the image back into it. */
export async function finishOutpainting(
  result: ProviderImage,
  pixels: PixelSize,
  { image, margins }: Outpainting,
): Promise<ProviderImage> {
  const bytes = await inPixelTurn(pixels.width * pixels.height, () =>
    sharp(result.bytes)
      .resize({ ...pixels, fit: "fill" })
      .png({ compressionLevel: 1 })
      .toBuffer(),
  );
  const extended = await putBack({ ...result, bytes }, image, margins);
  return mayHaveManifest(result.bytes) ? { ...extended, original: result.bytes } : extended;
}
