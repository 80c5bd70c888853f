import { flushCompileCache } from "node:module";
import { parseConfig, ConfigError } from "@atelier/configuration";
import { workerConfig } from "./config.ts";
import { startWorker } from "./start-worker.ts";

/** One of any number of workers: takes renders from the lanes and makes their images. */
try {
  const worker = await startWorker(parseConfig(workerConfig, process.env));
  const stop = () =>
    worker.stop().then(
      // An open channel to the process that started this one would keep it alive.
      () => process.connected && process.disconnect(),
      (error: Error) => {
        process.stderr.write(`${error.stack}\n`);
        process.exit(1);
      },
    );
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop());
  // Started by another process, it ends with it.
  process.once("disconnect", () => void stop());
  process.send?.({ type: "ready" });
  // Where NODE_COMPILE_CACHE is set: also a process that is killed leaves its compiled code behind.
  flushCompileCache();
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : (error as Error).stack}\n`,
  );
  process.exitCode = 1;
}
