import { readFileSync } from "node:fs";
import { guardDescription, type GuardDescription } from "./guard-description.ts";

/** Guard models whose descriptions are part of this package, in `guards/`. */
export const readyGuards = [
  "llama-guard",
  "shieldgemma",
  "qwen3guard",
  "gpt-oss-safeguard",
  "granite-guardian",
] as const;

export type ReadyGuard = (typeof readyGuards)[number];

/** Loads the description of a guard model. */
export function loadReadyGuard(name: ReadyGuard): GuardDescription {
  const url = new URL(`../../guards/${name}.json`, import.meta.url);
  return guardDescription.parse(JSON.parse(readFileSync(url, "utf8")));
}
