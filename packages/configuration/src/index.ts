export { checkParts } from "./check-parts.ts";
export { withoutEmpty, type Environment } from "./environment.ts";
export { ConfigError, StartError, UsageError } from "./errors.ts";
export { forkProgram } from "./fork-program.ts";
export {
  demoAccount,
  homeFiles,
  homeVariables,
  localInstallation,
  type DemoAccount,
  type LocalInstallation,
} from "./home.ts";
export { opening } from "./opening.ts";
export { parseConfig } from "./parse-config.ts";
export { processTuning } from "./process-tuning.ts";
export { runProgram, type RunningProgram } from "./run-program.ts";
export { startProgram, type Program, type StartOptions } from "./start-program.ts";
export { createTokenCheck } from "./tokens.ts";
export { modelVariables, serviceVariables, telemetryVariables, variable } from "./variables.ts";
export { withTimeout } from "./with-timeout.ts";
