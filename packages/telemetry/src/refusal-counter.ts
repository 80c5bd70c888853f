import { Counter, type Registry } from "prom-client";

/** Creates the counter of refusals by moderation, all at zero. */
export function createRefusalCounter(
  registers: Registry[],
  categories: readonly string[],
): Counter<"category" | "certainty"> {
  const refusals = new Counter({
    name: "atelier_moderation_refusals_total",
    help: "Requests (API) and renders (worker) that moderation refused, by category and certainty.",
    labelNames: ["category", "certainty"],
    registers,
  });
  // A counter that starts at 1 shows no increase to Prometheus.
  for (const category of categories) {
    for (const certainty of ["certain", "uncertain"]) refusals.inc({ category, certainty }, 0);
  }
  return refusals;
}
