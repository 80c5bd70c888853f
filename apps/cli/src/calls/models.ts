import type { Model } from "@atelier/client";
import { table, type Answer } from "../answer.ts";
import type { Caller } from "./call.ts";

/** Lists models and prices. */
export async function list({ atelier, follow }: Caller): Promise<Answer> {
  const models = await atelier.models.list({ signal: follow.signal });
  const headings = ["ID", "EUR", "STORIES", "REFERENCES", "ASPECT RATIOS", "STATUS"];
  const rows = models.map((model) => [
    model.id,
    describePrices(model),
    model.supports_multiturn ? "yes" : "no",
    model.supports_references ? `up to ${model.max_reference_images}` : "no",
    model.aspect_ratios.join(" "),
    model.status,
  ]);
  return { json: { models }, text: table(headings, rows) };
}

function describePrices({ prices }: Model): string {
  return prices
    .map(({ operation, image_size, eur }) =>
      operation === undefined ? `${eur} (${image_size})` : `${eur} (${operation} ${image_size})`,
    )
    .join(" ");
}
