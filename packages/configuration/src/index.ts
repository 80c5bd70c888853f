export {
  demoAccount,
  homeFiles,
  homeVariables,
  localInstallation,
  type DemoAccount,
  type LocalInstallation,
} from "./home.ts";
export { forkProgram } from "./fork-program.ts";
export { ConfigError, parseConfig } from "./parse-config.ts";
export { processTuning } from "./process-tuning.ts";
export { runProgram, type RunningProgram } from "./run-program.ts";
export { startProgram, type Program, type StartOptions } from "./start-program.ts";
export { createTokenCheck } from "./tokens.ts";
export { serviceVariables, telemetryVariables, variable } from "./variables.ts";
export { withoutEmpty } from "./without-empty.ts";
