import { exitOnSignals } from "@atelier/process/exit-on-signals";
import { keepCompiledCode } from "@atelier/process/keep-compiled-code";

/** Runs one worker: claims renders from its lanes and generates their images. */
keepCompiledCode();
const removeHandlers = exitOnSignals();
const [{ parseConfig, readEnvironment }, { runProgram }, { workerConfig }, { startWorker }] =
  await Promise.all([
    import("@atelier/configuration"),
    import("@atelier/process"),
    import("./config.ts"),
    import("./start-worker.ts"),
  ]);
removeHandlers();
await runProgram(() => {
  const environment = readEnvironment();
  return startWorker(parseConfig(workerConfig, environment), { environment });
});
