import { serveRequests } from "@atelier/kit/limited-process";
import { rasterizeSvg } from "./rasterize-svg.ts";
import { sanitizeSvg, SvgError } from "./sanitize-svg.ts";
import type { DrawnSvg } from "./drawn-svg.ts";

/** A request from the parent process. */
export interface DrawRequest {
  readonly text: string;
  readonly size: { readonly width: number; readonly height: number };
}

export type DrawAnswer = { readonly drawn: DrawnSvg } | { readonly refused: string };

serveRequests(async ({ text, size }: DrawRequest): Promise<DrawAnswer> => {
  try {
    const svg = sanitizeSvg(text, size);
    return { drawn: { svg, png: await rasterizeSvg(svg, size) } };
  } catch (error) {
    if (!(error instanceof SvgError)) throw error;
    return { refused: error.message };
  }
});
