export * from "./errors.ts";
export * from "./money.ts";
export * from "./parse.ts";
export * from "./plan.ts";
export * from "./requests.ts";
export * from "./responses.ts";
