import type { Job } from "@atelier/client";
import { escapeControls } from "@atelier/kit";
import type { Output } from "../output.ts";

/** The part of a job that is shown. */
export type ShownJob = Pick<
  Job,
  "id" | "kind" | "status" | "scenes_completed" | "scenes_total" | "progress"
>;

export interface Progress {
  /** Shows a state of a job. */
  show(job: ShownJob): void;
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
 * Shows progress: on a terminal, an updating line with a bar of scenes for a story, and for an image a bar of
 * its steps, if its engine reports them, or the time; in a pipe, one line per scene of a story and for each
 * tenth of such an image.
 */
export function createProgress({ output, interactive, color }: ProgressOptions): Progress {
  const startedAt = performance.now();
  let shown: ShownJob | null = null;
  let lastLine = "";
  let timer: NodeJS.Timeout | null = null;

  function draw(): void {
    if (shown !== null) output.write(clearLine + describe(shown));
  }

  function describe(job: ShownJob): string {
    const seconds = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
    if (job.kind === "image") {
      const { progress } = job;
      if (progress === undefined) return `${paint(escapeControls(job.status))}  ${seconds}`;
      return `${drawBar(progress.progress)}  ${describeSteps(progress)}  ${seconds}`;
    }
    const done = job.scenes_completed ?? 0;
    const total = job.scenes_total ?? 0;
    return `${drawBar(total === 0 ? 0 : done / total)}  ${describeScenes(job)}  ${seconds}`;
  }

  function drawBar(share: number): string {
    const filled = Math.round(share * barWidth);
    return paint("█".repeat(filled) + "░".repeat(barWidth - filled));
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
      const line = job.kind === "image" ? describeTenth(job) : describeScenes(job);
      if (line === null) return;
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

function describeSteps({ progress, step, of }: NonNullable<ShownJob["progress"]>): string {
  const percent = `${Math.round(progress * 100)} %`;
  return step === null || of === null ? percent : `${percent}, step ${step} of ${of}`;
}

/** Null for an image without progress. */
function describeTenth({ progress }: ShownJob): string | null {
  return progress === undefined ? null : `${Math.floor(progress.progress * 10) * 10} %`;
}

function describeScenes({ scenes_completed, scenes_total: total, status }: ShownJob) {
  const done = scenes_completed ?? 0;
  const unit =
    done === 0 && status !== "completed" ? "scenes, portraits and places first" : "scenes";
  return `${done} of ${total} ${unit}`;
}
