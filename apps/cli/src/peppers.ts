import { countPepperUse, type Peppers, type PepperUse } from "@atelier/accounts";
import type { Database } from "@atelier/database";
import { table, type Answer } from "./answer.ts";

/**
 * Counts the keys and webhooks by the pepper that they need, and says whether OLD_KEY_PEPPERS can be
 * emptied.
 *
 * @throws Error without a pepper.
 */
export async function showPepperUse(database: Database, peppers: Peppers | null): Promise<Answer> {
  if (peppers === null) {
    throw new Error("KEY_PEPPER is required. Set it to the value that the API uses.");
  }
  const { keys, webhooks } = await countPepperUse(database, peppers);
  const row = (name: string, { current, old, missing, unknown }: PepperUse) => [
    name,
    ...[current, old, missing, unknown].map(String),
  ];
  const headings = ["", "KEY_PEPPER", "OLD_KEY_PEPPERS", "NOT CONFIGURED", "UNKNOWN"];
  const rows = [row("valid keys", keys), row("webhooks", webhooks)];
  return {
    json: { keys, webhooks },
    text: `${table(headings, rows)}\n\n${adviceOn(keys, webhooks)}`,
  };
}

function adviceOn(keys: PepperUse, webhooks: PepperUse): string {
  if (keys.missing + webhooks.missing > 0) {
    return "Add the value that is not configured to OLD_KEY_PEPPERS: these keys are refused, and these webhooks are not delivered.";
  }
  if (keys.old + keys.unknown + webhooks.old + webhooks.unknown > 0) {
    return "Keep OLD_KEY_PEPPERS. Keys move to KEY_PEPPER when they are used, webhooks within a minute.";
  }
  return "OLD_KEY_PEPPERS can be emptied 24 hours after KEY_PEPPER was changed: until then, links and sessions of Studio may need it.";
}
