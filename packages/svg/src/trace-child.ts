import { serveRequests } from "@atelier/kit/limited-process";
import sharp from "sharp";
import type { DrawnSvg } from "./drawn-svg.ts";
import { rasterizeSvg } from "./rasterize-svg.ts";
import { sanitizeSvg, SvgError } from "./sanitize-svg.ts";
import { traceImage } from "./trace-image.ts";

/** A request from the parent process. */
export interface TraceRequest {
  readonly image: Uint8Array;
  readonly colors: number;
}

export type TraceAnswer = { readonly drawn: DrawnSvg } | { readonly refused: string };

serveRequests(async ({ image, colors }: TraceRequest): Promise<TraceAnswer> => {
  try {
    const size = await sizeOf(image);
    const svg = sanitizeSvg(await traceImage(image, colors), size);
    return { drawn: { svg, png: await rasterizeSvg(svg, size) } };
  } catch (error) {
    if (!(error instanceof SvgError)) throw error;
    return { refused: error.message };
  }
});

async function sizeOf(image: Uint8Array): Promise<{ width: number; height: number }> {
  try {
    const { width, height } = await sharp(image).metadata();
    return { width, height };
  } catch (cause) {
    throw new SvgError("The image cannot be read.", { cause });
  }
}
