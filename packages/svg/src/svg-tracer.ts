import { createLimitedProcess, LimitError } from "@atelier/kit/limited-process";
import type { DrawnSvg } from "./drawn-svg.ts";
import { SvgError } from "./sanitize-svg.ts";
import type { TraceAnswer, TraceRequest } from "./trace-child.ts";

/** Traces images one after another in a limited process. */
export interface SvgTracer {
  /**
   * @param image PNG, JPEG or WebP, upright.
   * @param colors the maximum number of colours, from 2 to 64.
   * @returns a sanitised SVG of the size of the image, and its drawing.
   * @throws SvgError when it cannot be traced, or exceeds a limit of time or memory.
   */
  trace(image: Uint8Array, colors: number): Promise<DrawnSvg>;
  /** Stops the process and rejects the current and queued requests. */
  close(): void;
}

/**
 * Prepares a tracer; its process starts with the first image and ends when it is idle.
 *
 * @param timeoutMs of one image. Default 20,000; a drawing of 16 megapixels takes 2,000.
 * @param maxResidentBytes memory of the process. Default 900 MB.
 */
export function createSvgTracer({
  timeoutMs = 20_000,
  maxResidentBytes = 900_000_000,
} = {}): SvgTracer {
  const child = createLimitedProcess<TraceRequest, TraceAnswer>({
    module: new URL("trace-child.ts", import.meta.url),
    timeoutMs,
    maxResidentBytes,
  });
  return {
    async trace(image, colors) {
      const { answer } = await child.run({ image, colors }).catch((cause: unknown) => {
        if (!(cause instanceof LimitError) || cause.reason === "closed") throw cause;
        throw new SvgError(`The image cannot be traced: ${cause.message}.`, { cause });
      });
      if ("refused" in answer) throw new SvgError(answer.refused);
      return answer.drawn;
    },
    close: () => child.close(),
  };
}
