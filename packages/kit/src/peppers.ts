import { createHmac } from "node:crypto";

/** The accepted values of KEY_PEPPER, the current one first. */
export type Peppers = readonly [current: string, ...old: string[]];

/** Names a pepper in rows that were hashed or encrypted with it, without revealing it. */
export function pepperId(pepper: string): string {
  return createHmac("sha256", pepper).update("atelier pepper id").digest("hex").slice(0, 16);
}
