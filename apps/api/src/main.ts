import { flushCompileCache } from "node:module";
import { parseConfig, ConfigError } from "@atelier/configuration";
import { apiConfig } from "./config.ts";
import { startApi } from "./start-api.ts";

/** The HTTP side: takes requests, never makes an image. */
try {
  const api = await startApi(parseConfig(apiConfig, process.env));
  const stop = () =>
    api.stop().then(
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
  const taken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
  if (taken || error instanceof ConfigError) process.stderr.write(`${(error as Error).message}\n`);
  else process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
}
