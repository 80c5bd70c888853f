import type { Credential } from "@atelier/accounts";

/** Identifies a credential among others in memory. */
export function textOf(credential: Credential): string {
  return credential.kind === "key" ? credential.key : `session ${credential.id}`;
}
