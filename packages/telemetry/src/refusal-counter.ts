import type { Counter } from "prom-client";
import type { Meter } from "./meter.ts";

/** Creates the counter of refusals by moderation, all at zero. */
export function createRefusalCounter(
  meter: Meter,
  categories: readonly string[],
): Counter<"category" | "certainty"> {
  return meter.counter(
    "atelier_moderation_refusals_total",
    "Requests (API) and renders (worker) that moderation refused, by category and certainty.",
    { category: categories, certainty: ["certain", "uncertain"] },
  );
}
