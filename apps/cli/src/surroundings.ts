import type { Surroundings } from "./run-program.ts";

/** Gives a command the variables and outputs of this process, and lets a reader of stdout close it early. */
export function attachToProcess(): Surroundings {
  // As `head` does.
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
