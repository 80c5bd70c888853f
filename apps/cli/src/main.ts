import { exitOnSignals } from "@atelier/process/exit-on-signals";
import { keepCompiledCode } from "@atelier/process/keep-compiled-code";

// Compiling takes half of a command's time, so the cache is enabled before the program is loaded.
keepCompiledCode();
const removeHandlers = exitOnSignals();
const { run } = await import("./run.ts");
const { attachToProcess } = await import("./surroundings.ts");
const { addSettingsOfFile } = await import("@atelier/configuration");
removeHandlers();

process.exitCode = await run(process.argv.slice(2), {
  ...attachToProcess(),
  addSettings: addSettingsOfFile,
});
