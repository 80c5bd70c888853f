import { createLimitedProcess, LimitError, type ProcessLimits } from "@atelier/kit/limited-process";
import type { DrawnSvg } from "./drawn-svg.ts";
import { SvgError } from "./sanitize-svg.ts";
import type { TraceAnswer, TraceRequest } from "./trace-child.ts";

/** Traces images one after another in a limited process. */
export interface SvgTracer {
  /**
   * @param image PNG, JPEG or WebP, upright.
   * @param colors the maximum number of colours, from 2 to 64.
   * @returns a sanitised SVG of the size of the image, and its drawing.
   * @throws SvgError when it cannot be traced, or exceeds a limit of CPU time or memory.
   * @throws LimitError when the machine is too busy, or the process was ended.
   */
  trace(image: Uint8Array, colors: number): Promise<DrawnSvg>;
  /** Stops the process and rejects the current and queued requests. */
  close(): void;
}

/**
 * Prepares a tracer; its process starts with the first image and ends when it is idle.
 *
 * @param limits Default: 25,000 ms of CPU time, of which a drawing of 16 megapixels takes 2,000, and
 *   900 MB of memory.
 */
export function createSvgTracer(limits: Partial<ProcessLimits> = {}): SvgTracer {
  const child = createLimitedProcess<TraceRequest, TraceAnswer>({
    work: "trace",
    module: new URL("trace-child.ts", import.meta.url),
    cpuMs: 25_000,
    maxResidentBytes: 900_000_000,
    ...limits,
  });
  return {
    async trace(image, colors) {
      const { answer } = await child.run({ image, colors }).catch((cause: unknown) => {
        if (!(cause instanceof LimitError) || !cause.isCausedByInput) throw cause;
        throw new SvgError(`The image cannot be traced: ${cause.message}.`, { cause });
      });
      if ("refused" in answer) throw new SvgError(answer.refused);
      return answer.drawn;
    },
    close: () => child.close(),
  };
}
