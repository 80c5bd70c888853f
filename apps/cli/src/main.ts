import { enableCompileCache } from "node:module";

// Half of what a command costs is compiling; the rest of the program is loaded after this.
enableCompileCache();
const { run } = await import("./run.ts");

function onInterruption(): AbortSignal {
  const interruption = new AbortController();
  process.once("SIGINT", () => interruption.abort());
  return interruption.signal;
}

// Whoever reads the results may have seen enough, as `head` does.
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
