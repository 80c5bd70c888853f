import {
  refusalError,
  requestOfImages,
  type ModerationRequest,
  type ModerationVerdict,
} from "@atelier/moderation";
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
  await assertRequestAllowed(requestOfImages(specs, strictness), origin, dependencies);
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
  await assertRequestAllowed({ texts, strictness, hasClientImages: true }, origin, dependencies);
}

/**
 * Judges texts of a client by the built-in rules.
 *
 * @throws AppError `content_illegal` or `content_policy_violation` with the field of the request.
 */
export async function assertRequestAllowed(
  request: ModerationRequest,
  origin: Origin,
  dependencies: Dependencies,
): Promise<void> {
  const verdict = await findRefusal(request, origin.accountId, dependencies);
  if (verdict === null) return;
  const { accountId, requestId } = origin;
  const { metrics, logger } = dependencies;
  const { strictness } = request;
  const { category, certainty } = verdict;
  metrics.requestRefused(category, certainty);
  logger.info({ requestId, accountId, category, certainty, strictness }, "request refused");
  throw refusalError(verdict, strictness);
}

type Refusal = Extract<ModerationVerdict, { readonly allowed: false }>;

/** Judges texts by the built-in rules; null when they are allowed, or left to the workers' remote model. */
export async function findRefusal(
  request: ModerationRequest,
  accountId: string,
  { config, rules }: Needs<"config" | "rules">,
): Promise<Refusal | null> {
  // A disconnected client does not stop an acceptance.
  const { signal } = new AbortController();
  const verdict = await rules.judge(accountId, request, signal);
  if (verdict.allowed) return null;
  return verdict.certainty === "uncertain" && config.MODERATION !== "rules" ? null : verdict;
}

interface Origin {
  readonly accountId: string;
  readonly requestId: string;
}

type Dependencies = Needs<"config" | "rules" | "metrics" | "logger">;
