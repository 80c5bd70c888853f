export { ConfigError, parseConfig } from "./parse-config.ts";
export { serviceVariables, telemetryVariables, variable } from "./variables.ts";
