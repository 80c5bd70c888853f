export * from "./errors.ts";
export * from "./files.ts";
export { maxPromptLength } from "./fields.ts";
export * from "./money.ts";
export * from "./openai-images.ts";
export * from "./parse.ts";
export * from "./plan.ts";
export * from "./requests.ts";
export * from "./responses.ts";
