import { enableCompileCache } from "node:module";
import { exitOnSignals } from "@atelier/process/exit-on-signals";

// Compiling takes half of a command's time, so the cache is enabled before the program is loaded.
enableCompileCache();
const removeHandlers = exitOnSignals();
const { run } = await import("./run.ts");
removeHandlers();

function onInterruption(): AbortSignal {
  const interruption = new AbortController();
  process.once("SIGINT", () => interruption.abort());
  return interruption.signal;
}

// The reader of a pipe may close it early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const { env: environment, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), {
  environment,
  stdout,
  stderr,
  onInterruption,
});
