import { createQuoteEndpoint } from "@atelier/schemas/endpoints";
import type { Needs } from "../dependencies.ts";
import { quote } from "../generations/accept/quote.ts";
import { chargeBody } from "../http/limits/rate-limit.ts";
import type { Routes } from "../http/routes.ts";
import type { PreparationDependencies } from "../generations/plan/prepare-plan.ts";

/** `POST /v1/quotes`: what a request would cost, and how long it would wait. */
export function serveQuotes(
  routes: Routes,
  dependencies: PreparationDependencies & Needs<"admissions" | "logger" | "waits">,
): void {
  routes.add(createQuoteEndpoint(dependencies.operations), async ({ caller, body, response }) => {
    const answer = await quote(caller, body, dependencies);
    // A refused body is charged with its error.
    await chargeBody(response, dependencies);
    return answer;
  });
}
