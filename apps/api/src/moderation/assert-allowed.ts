import { refusalError, requestOfImages } from "@atelier/moderation";
import type { GenerationPlan } from "@atelier/schemas";
import type { ApiDependencies } from "../dependencies.ts";

/**
 * Judges every text and every prompt of a plan by the built-in rules, before anything is stored or
 * held. An uncertain match is left to the workers if they ask a remote model.
 *
 * @throws AppError `content_illegal` or `content_policy_violation` with the field of the request.
 */
export async function assertAllowed(
  { renders, strictness }: GenerationPlan,
  { accountId, requestId }: { readonly accountId: string; readonly requestId: string },
  {
    config,
    rules,
    metrics,
    logger,
  }: Pick<ApiDependencies, "config" | "rules" | "metrics" | "logger">,
): Promise<void> {
  const specs = renders.map(({ spec }) => spec);
  // A disconnected client does not stop an acceptance.
  const { signal } = new AbortController();
  const verdict = await rules.judge(accountId, requestOfImages(specs, strictness), signal);
  if (verdict.allowed) return;
  const { category, certainty } = verdict;
  if (certainty === "uncertain" && config.MODERATION !== "rules") return;
  metrics.requestRefused(category, certainty);
  logger.info({ requestId, accountId, category, certainty, strictness }, "request refused");
  throw refusalError(verdict, strictness);
}
