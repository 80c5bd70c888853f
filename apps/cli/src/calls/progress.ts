import type { Job } from "@atelier/client";
import type { Output } from "../output.ts";

export interface Progress {
  /** Shows a state of a job. */
  show(job: Job): void;
  /** Ends the display: the last state stays for a story, and is cleared for an image. */
  end(): void;
}

const barWidth = 24;
const redrawMs = 100;
const clearLine = "\r\u001b[2K";

export interface ProgressOptions {
  readonly output: Output;
  /** Whether a line can be redrawn. */
  readonly interactive: boolean;
  readonly color: boolean;
}

/**
 * Shows progress: on a terminal, an updating line with a bar of scenes for a story or the time for an
 * image; in a pipe, one line per scene of a story and nothing for an image.
 */
export function createProgress({ output, interactive, color }: ProgressOptions): Progress {
  const startedAt = performance.now();
  let shown: Job | null = null;
  let lastLine = "";
  let timer: NodeJS.Timeout | null = null;

  function draw(): void {
    if (shown !== null) output.write(clearLine + describe(shown));
  }

  function describe(job: Job): string {
    const seconds = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
    if (job.kind === "image") return `${paint(job.status)}  ${seconds}`;
    const done = job.scenes_completed ?? 0;
    const total = job.scenes_total ?? 0;
    const filled = total === 0 ? 0 : Math.round((done / total) * barWidth);
    const bar = "█".repeat(filled) + "░".repeat(barWidth - filled);
    return `${paint(bar)}  ${describeScenes(job)}  ${seconds}`;
  }

  const paint = (text: string) => (color ? `\u001b[36m${text}\u001b[0m` : text);

  return {
    show(job) {
      shown = job;
      if (interactive) {
        draw();
        timer ??= setInterval(draw, redrawMs);
        return;
      }
      if (job.kind === "image") return;
      const line = describeScenes(job);
      if (line !== lastLine) output.write(`${line}\n`);
      lastLine = line;
    },
    end() {
      if (timer !== null) clearInterval(timer);
      timer = null;
      if (interactive && shown !== null) {
        draw();
        output.write(shown.kind === "image" ? clearLine : "\n");
      }
      shown = null;
    },
  };
}

function describeScenes({ scenes_completed, scenes_total: total, status }: Job) {
  const done = scenes_completed ?? 0;
  const unit =
    done === 0 && status !== "completed" ? "scenes, portraits and places first" : "scenes";
  return `${done} of ${total} ${unit}`;
}
