import { refusalError, requestOfImages, type ModerationRequest } from "@atelier/moderation";
import type { GenerationPlan, Strictness } from "@atelier/schemas";
import type { Needs } from "../dependencies.ts";

/**
 * Judges every text and every prompt of a plan by the built-in rules, before anything is stored or
 * held. An uncertain match is left to the workers if they ask a remote model.
 *
 * @throws AppError `content_illegal` or `content_policy_violation` with the field of the request.
 */
export async function assertAllowed(
  { renders, strictness }: GenerationPlan,
  origin: Origin,
  dependencies: Dependencies,
): Promise<void> {
  const specs = renders.map(({ spec }) => spec);
  await judge(requestOfImages(specs, strictness), origin, dependencies);
}

/**
 * Judges texts that are kept to make images of them later, by the built-in rules.
 *
 * @throws AppError `content_illegal` or `content_policy_violation` with the field of the request.
 */
export async function assertTextsAllowed(
  texts: ModerationRequest["texts"],
  strictness: Strictness,
  origin: Origin,
  dependencies: Dependencies,
): Promise<void> {
  await judge({ texts, strictness, hasClientImages: true }, origin, dependencies);
}

interface Origin {
  readonly accountId: string;
  readonly requestId: string;
}

type Dependencies = Needs<"config" | "rules" | "metrics" | "logger">;

async function judge(
  request: ModerationRequest,
  { accountId, requestId }: Origin,
  { config, rules, metrics, logger }: Dependencies,
): Promise<void> {
  const { strictness } = request;
  // A disconnected client does not stop an acceptance.
  const { signal } = new AbortController();
  const verdict = await rules.judge(accountId, request, signal);
  if (verdict.allowed) return;
  const { category, certainty } = verdict;
  if (certainty === "uncertain" && config.MODERATION !== "rules") return;
  metrics.requestRefused(category, certainty);
  logger.info({ requestId, accountId, category, certainty, strictness }, "request refused");
  throw refusalError(verdict, strictness);
}
