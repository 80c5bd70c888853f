import { createLimitedProcess, LimitError, type ProcessLimits } from "@atelier/kit/limited-process";
import type { DrawAnswer, DrawRequest } from "./draw-child.ts";
import { SvgError } from "./sanitize-svg.ts";
import type { DrawnSvg } from "./drawn-svg.ts";

/**
 * Sanitises and draws untrusted SVG one after another in a limited process: a short file can take
 * minutes of CPU time and gigabytes of memory to draw.
 */
export interface SvgDrawer {
  /**
   * @param size of the PNG in pixels; the drawing keeps its shape and is centred.
   * @throws SvgError when it cannot be sanitised or drawn, or exceeds a limit of CPU time or memory.
   * @throws LimitError when the machine is too busy, or the process was ended.
   */
  draw(text: string, size: { readonly width: number; readonly height: number }): Promise<DrawnSvg>;
  /** Stops the process and rejects the current and queued drawings. */
  close(): void;
}

/**
 * Prepares a drawer; its process starts with the first drawing and ends when it is idle.
 *
 * @param limits Default: 8,000 ms of CPU time, of which the largest graphics of the catalogue take 1,000,
 *   and 600 MB of memory.
 */
export function createSvgDrawer(limits: Partial<ProcessLimits> = {}): SvgDrawer {
  const child = createLimitedProcess<DrawRequest, DrawAnswer>({
    work: "draw",
    module: new URL("draw-child.ts", import.meta.url),
    cpuMs: 8_000,
    maxResidentBytes: 600_000_000,
    ...limits,
  });
  return {
    async draw(text, size) {
      const { answer } = await child.run({ text, size }).catch((cause: unknown) => {
        if (!(cause instanceof LimitError) || !cause.isCausedByInput) throw cause;
        throw new SvgError(`The SVG cannot be drawn: ${cause.message}.`, { cause });
      });
      if ("refused" in answer) throw new SvgError(answer.refused);
      return answer.drawn;
    },
    close: () => child.close(),
  };
}
