import type { QuoteRequest } from "@atelier/client";
import { properties, type Answer } from "../answer.ts";
import type { Caller } from "./call.ts";
import { readRequest } from "./read-request.ts";

/** Shows what a request would cost and how long it would wait, without sending it. */
export async function quote(
  { atelier, follow }: Caller,
  operation: QuoteRequest["operation"],
  path: string,
): Promise<Answer> {
  const request = await readRequest(path, "a request");
  const quoted = await atelier.quote({ operation, request }, { signal: follow.signal });
  const wait = quoted.estimated_wait_seconds;
  const text = properties([
    ["Price", `${quoted.price_eur} EUR`],
    ["Images", String(quoted.renders)],
    ["Balance", `${quoted.balance_eur} EUR`],
    ["Affordable", quoted.affordable ? "yes" : "no"],
    ["Wait", wait === null ? "unknown" : `about ${wait} s`],
  ]);
  return { json: quoted, text };
}
