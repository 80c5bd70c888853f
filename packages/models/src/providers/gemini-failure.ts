import * as z from "zod";
import { outOfQuota, rateLimited, unavailable, type CallEnded } from "./http/call-ended.ts";
import { explainStatus } from "./http/explain-status.ts";
import { findJson } from "./http/read-json.ts";
import { parseRetryAfter } from "./http/retry-after.ts";
import type { HttpAnswer } from "./http/send.ts";

const failureSchema = z.object({
  error: z.object({
    message: z.string().optional(),
    status: z.string().optional(),
    details: z
      .array(
        z.looseObject({
          // ErrorInfo
          reason: z.string().optional(),
          // RetryInfo: a duration such as `38s` or `58.9s`
          retryDelay: z.string().optional(),
          // QuotaFailure
          violations: z.array(z.object({ quotaId: z.string().optional() })).optional(),
        }),
      )
      .optional(),
  }),
});

/** What a failure in the form of Google's APIs means: `{"error": {code, message, status, details}}`. */
export function explainGeminiFailure(answer: HttpAnswer): CallEnded {
  const error = findJson(answer, failureSchema)?.error;
  if (error === undefined) return explainStatus(answer, "");
  const { details = [], message = "", status = "" } = error;
  const said = `${status}: ${message}`;
  if (answer.status === 429) {
    if (isSpent(message, details)) return outOfQuota(said);
    const delay = details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
    return rateLimited(
      parseRetryAfter(delay?.replace(/s$/, "")) ?? parseRetryAfter(answer.headers["retry-after"]),
    );
  }
  // A bad key is a bad request here; a region or an account that may not is a failed precondition.
  const isOperators =
    details.some(({ reason }) => reason === "API_KEY_INVALID") || status === "FAILED_PRECONDITION";
  return isOperators ? unavailable(said) : explainStatus(answer, said);
}

/**
 * Money or a day's quota used up, which waiting a minute does not mend. Unverified: the vendor gives both
 * the status of a rate limit, and only the name of the quota or the words of the message tell them apart.
 */
function isSpent(
  message: string,
  details: readonly { readonly violations?: { quotaId?: string | undefined }[] | undefined }[],
): boolean {
  const quotas = details.flatMap(({ violations = [] }) => violations);
  return (
    quotas.some(({ quotaId }) => quotaId?.includes("PerDay") === true) ||
    /credits are depleted|spend(ing)? (cap|limit)/i.test(message)
  );
}
