import { styleText } from "node:util";

export interface ProgressOptions {
  readonly output: NodeJS.WriteStream;
  /** Whether terminal lines can be redrawn. */
  readonly canRedraw: boolean;
}

export interface Progress {
  /**
   * Runs one step and reports its result and duration. While it runs, a terminal shows the current
   * activity, which the step can update.
   */
  step<Result>(
    doing: string,
    work: (update: (doing: string) => void) => Promise<Result>,
    done: (result: Result) => string,
  ): Promise<Result>;
  /** Prints a line between or within steps. */
  note(text: string): void;
  /** Like `note`, highlighted. */
  warn(text: string): void;
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 80;

/**
 * Reports steps with durations: a live line with a spinner on a terminal, plain lines elsewhere.
 */
export function createProgress(options: ProgressOptions): Progress {
  const { output } = options;
  const isLive = output.isTTY && options.canRedraw;
  const style = (format: Parameters<typeof styleText>[0], text: string) =>
    // Respects NO_COLOR, FORCE_COLOR and the capabilities of the terminal.
    styleText(format, text, { stream: output });
  /** The line that is redrawn continuously; null between steps. */
  let live: { doing: string; startedAt: number; timer: NodeJS.Timeout } | null = null;

  function draw(): void {
    if (live === null) return;
    const elapsedMs = performance.now() - live.startedAt;
    const frame = frames[Math.floor(elapsedMs / frameMs) % frames.length] ?? "";
    // A wrapped line cannot be redrawn.
    const text = `${live.doing} … ${seconds(elapsedMs)}`.slice(0, output.columns - 3);
    output.write(`\r\x1b[2K${style("cyan", frame)} ${text}`);
  }

  function writeLine(text: string): void {
    output.write(`${live === null ? "" : "\r\x1b[2K"}${text}\n`);
    draw();
  }

  return {
    async step(doing, work, done) {
      const startedAt = performance.now();
      const end = (mark: string, text: string) => {
        clearInterval(live?.timer);
        const erase = live === null ? "" : "\r\x1b[2K";
        live = null;
        const time = style("dim", seconds(performance.now() - startedAt));
        output.write(`${erase}${mark} ${text}  ${time}\n`);
      };
      if (isLive) {
        live = { doing, startedAt, timer: setInterval(draw, frameMs) };
        draw();
      }
      try {
        const result = await work((text) => {
          if (live !== null) live.doing = text;
        });
        end(style("green", "✔"), done(result));
        return result;
      } catch (error) {
        end(style("red", "✖"), doing);
        throw error;
      }
    },
    note: (text) => writeLine(`  ${text}`),
    warn: (text) => writeLine(`${style("yellow", "!")} ${text}`),
  };
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(durationMs < 1_000 ? 2 : 1)} s`;
}
