import type { Surroundings } from "./run-program.ts";

/** The surroundings of a command of this process. */
export function processSurroundings(): Surroundings {
  // The reader of a pipe may close it early, as `head` does.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  const { env: environment, stdout, stderr } = process;
  return { environment, stdout, stderr, onInterruption };
}

function onInterruption(): AbortSignal {
  const interruption = new AbortController();
  process.once("SIGINT", () => interruption.abort());
  return interruption.signal;
}
