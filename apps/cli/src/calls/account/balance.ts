import type { Answer } from "../../answer.ts";
import type { Caller } from "../call.ts";

/** Shows the balance. */
export async function balance({ atelier, follow }: Caller): Promise<Answer> {
  const account = await atelier.account.get({ signal: follow.signal });
  return {
    json: account,
    text: `${account.balance_eur} EUR`,
    note:
      account.name === undefined || account.held_eur === undefined
        ? "This is what the key may still spend."
        : `Account "${account.name}"; another ${account.held_eur} EUR are held for unfinished jobs.`,
  };
}
