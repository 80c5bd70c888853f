import { exitOnSignals } from "@atelier/process/exit-on-signals";
import { keepCompiledCode } from "@atelier/process/keep-compiled-code";

/** Runs the HTTP API, which accepts requests and generates no images. */
keepCompiledCode();
const removeHandlers = exitOnSignals();
const [{ parseConfig, readEnvironment }, { runProgram }, { apiConfig }, { startApi }] =
  await Promise.all([
    import("@atelier/configuration"),
    import("@atelier/process"),
    import("./config.ts"),
    import("./start-api.ts"),
  ]);
removeHandlers();
await runProgram(() => {
  const environment = readEnvironment();
  return startApi(parseConfig(apiConfig, environment), { environment });
});
