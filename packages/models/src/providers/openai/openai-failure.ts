import * as z from "zod";
import {
  invalidRequest,
  outOfQuota,
  refused,
  unavailable,
  type CallEnded,
} from "../http/call-ended.ts";
import { explainStatus } from "../http/explain-status.ts";
import { findJson } from "../http/read-json.ts";
import type { HttpResponse } from "../http/send.ts";

const failureSchema = z.object({
  error: z.object({
    message: z.string().nullish(),
    type: z.string().nullish(),
    // Some compatible servers put the HTTP status here.
    code: z.union([z.string(), z.number()]).nullish(),
    moderation_details: z
      .object({ moderation_stage: z.string(), categories: z.array(z.string()) })
      .nullish(),
  }),
});

const refusalCodes = ["moderation_blocked", "content_policy_violation"];

/** All come with 429 except the last, which comes with 400. Waiting does not help. */
const billingCodes = [
  "insufficient_quota",
  "credit_balance_exhausted",
  "project_spend_limit_exceeded",
  "organization_spend_limit_exceeded",
  "organization_usage_limit_exceeded",
  "billing_hard_limit_reached",
];

/**
 * Maps a failure in OpenAI's format: `{"error": {message, type, param, code}}`.
 *
 * A refusal is identified by its `code`. Its `type` (`image_generation_user_error`) also covers
 * unknown sizes and models. Without `moderation_details`, the categories are in the message:
 * `safety_violations=[…]`.
 */
export function explainOpenAiFailure(response: HttpResponse): CallEnded {
  const error = findJson(response, failureSchema)?.error;
  if (error === undefined) return explainStatus(response, "");
  const { code, message, moderation_details: moderation, type } = error;
  if (typeof code === "string" && refusalCodes.includes(code)) {
    const categories = moderation?.categories ?? violationsIn(message ?? "");
    return refused(stages[moderation?.moderation_stage ?? ""] ?? null, categories);
  }
  const detail = [code, message].filter((part) => part != null && part !== "").join(": ");
  if (billingCodes.some((billing) => billing === code || billing === type))
    return outOfQuota(detail);
  // An unverified organisation or a key without the required scope: the operator has to fix it.
  if (code === "invalid_api_key") return unavailable(detail);
  if (code === "model_not_found") return invalidRequest(detail);
  return explainStatus(response, detail);
}

const stages: Readonly<Record<string, "request" | "image">> = { input: "request", output: "image" };

function violationsIn(message: string): readonly string[] {
  const list = /safety_violations=\[([^[\]]*)\]/.exec(message)?.[1] ?? "";
  return list.split(",").flatMap((category) => (category.trim() === "" ? [] : [category.trim()]));
}
