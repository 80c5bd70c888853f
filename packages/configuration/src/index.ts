export { ConfigError, parseConfig } from "./parse-config.ts";
export { serviceVariables, variable } from "./variables.ts";
