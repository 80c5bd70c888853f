export { ConfigError, parseConfig } from "./parse-config.ts";
export { runProgram, type RunningProgram } from "./run-program.ts";
export { serviceVariables, telemetryVariables, variable } from "./variables.ts";
