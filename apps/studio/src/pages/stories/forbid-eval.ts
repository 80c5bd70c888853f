import { config } from "zod/v4/core";

/** Keeps Zod from compiling schemas, which the CSP forbids. Must run before schemas are loaded. */
export function forbidEval(): void {
  config({ jitless: true });
}
