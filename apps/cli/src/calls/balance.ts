import type { Answer } from "../answer.ts";
import type { Caller } from "./call.ts";

/** What is left to spend. */
export async function balance({ atelier, follow }: Caller): Promise<Answer> {
  const account = await atelier.account.get({ signal: follow.signal });
  return {
    json: account,
    text: `${account.balance_eur} EUR`,
    note: `Of the account "${account.name}"; ${account.held_eur} EUR more are held for unfinished jobs.`,
  };
}
