import type { Job } from "@atelier/schemas";

export interface StoryProgress {
  /** Shows a state of the job. */
  show(job: Job): void;
  /** Leaves the last state standing. */
  end(): void;
}

const barWidth = 24;

/** A bar by scene on a terminal, a line for each scene in a pipe. */
export function createStoryProgress(output: NodeJS.WriteStream, color: boolean): StoryProgress {
  const startedAt = performance.now();
  let lastDone = -1;

  function line({ scenes_completed: done = 0, scenes_total: total = 0, status }: Job): string {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const filled = total === 0 ? 0 : Math.round((done / total) * barWidth);
    const bar = "█".repeat(filled) + "░".repeat(barWidth - filled);
    const what = done === 0 && status !== "completed" ? "portraits and places" : "scenes";
    return `${color ? `\u001b[36m${bar}\u001b[0m` : bar}  ${done} of ${total} ${what}  ${seconds} s`;
  }

  return {
    show(job) {
      if (output.isTTY) {
        output.write(`\r\u001b[2K${line(job)}`);
        return;
      }
      const done = job.scenes_completed ?? 0;
      if (done === lastDone) return;
      lastDone = done;
      output.write(`${line(job)}\n`);
    },
    end() {
      if (output.isTTY) output.write("\n");
    },
  };
}
