export * from "./errors.ts";
export * from "./money.ts";
export * from "./parse.ts";
export * from "./render-spec.ts";
export * from "./requests.ts";
export * from "./responses.ts";
