import type { Quote, QuoteRequest } from "@atelier/client";
import { properties, type Answer } from "../answer.ts";
import type { Caller } from "./call.ts";
import { readRequest } from "./read-request.ts";

export interface QuoteFlags {
  readonly batch?: boolean;
}

/** Shows what a request would cost and how long it would wait, without sending it. */
export async function quote(
  { atelier, follow }: Caller,
  operation: QuoteRequest["operation"],
  path: string,
  { batch: in_batch = false }: QuoteFlags,
): Promise<Answer> {
  const request = await readRequest(path, "a request");
  const quoted = await atelier.quote({ operation, request, in_batch }, { signal: follow.signal });
  const { eur_per_image, image_size, steps } = quoted.price;
  const wait = quoted.estimated_wait_seconds;
  const text = properties([
    ["Price", `${quoted.price_eur} EUR`],
    ["Images", `${quoted.renders} of ${image_size}, ${eur_per_image} EUR each`],
    ...(steps === null ? [] : [["Steps", describeSteps(steps)] as const]),
    ["Balance", `${quoted.balance_eur} EUR`],
    ["Affordable", quoted.affordable ? "yes" : "no"],
    ["Wait", wait === null ? "unknown" : `about ${wait} s`],
  ]);
  return { json: quoted, text };
}

function describeSteps(steps: NonNullable<Quote["price"]["steps"]>): string {
  const { eur_per_step, included, requested } = steps;
  return `${requested}; the price includes ${included}, and one more is ${eur_per_step} EUR`;
}
