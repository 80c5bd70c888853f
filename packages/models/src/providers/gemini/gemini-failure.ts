import { parseRetryAfter } from "@atelier/kit";
import * as z from "zod";
import { outOfQuota, rateLimited, unavailable, type CallEnded } from "../http/call-ended.ts";
import { explainStatus } from "../http/explain-status.ts";
import { findJson } from "../http/read-json.ts";
import type { HttpResponse } from "../http/send.ts";

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

/** Maps a failure in the format of Google's APIs: `{"error": {code, message, status, details}}`. */
export function explainGeminiFailure(response: HttpResponse): CallEnded {
  const error = findJson(response, failureSchema)?.error;
  if (error === undefined) return explainStatus(response, "");
  const { details = [], message = "", status = "" } = error;
  const detail = `${status}: ${message}`;
  if (response.status === 429) {
    if (isSpent(message, details)) return outOfQuota(detail);
    const delay = details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
    return rateLimited(
      parseRetryAfter(delay?.replace(/s$/, "")) ?? parseRetryAfter(response.headers["retry-after"]),
    );
  }
  // A bad key has status INVALID_ARGUMENT; a disallowed region or account, FAILED_PRECONDITION.
  const isOperators =
    details.some(({ reason }) => reason === "API_KEY_INVALID") || status === "FAILED_PRECONDITION";
  return isOperators ? unavailable(detail) : explainStatus(response, detail);
}

/**
 * Whether credit or a daily quota is exhausted, so that a short wait does not help. Unverified: the
 * vendor uses the same status as for a rate limit; only the quota's name or the message
 * distinguishes them.
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
