import { parseRetryAfter } from "@atelier/kit";
import {
  invalidRequest,
  outOfQuota,
  rateLimited,
  unavailable,
  unknown,
  type CallEnded,
} from "./call-ended.ts";
import type { HttpResponse } from "./send.ts";

/**
 * Maps an HTTP status without a vendor-specific meaning; adapters check for those first.
 *
 * - 402: out of quota; 429: rate-limited.
 * - 401, 403: the key was rejected. The operator has to fix it; the request itself may be valid and
 *   another provider can carry it out: unavailable.
 * - 408, 504, 520 and 524: an intermediate server timed out and the image may have been generated:
 *   unknown.
 * - Any other 5xx, and redirects, which are not followed: unavailable.
 * - Any other 4xx: invalid request.
 *
 * @param detail the vendor's explanation, for the operator.
 */
export function explainStatus(response: HttpResponse, detail: string): CallEnded {
  const { status, headers } = response;
  const message = detail === "" ? `status ${status}` : `status ${status}: ${detail}`;
  const retryAfterMs = parseRetryAfter(headers["retry-after"]);
  if (status === 402) return outOfQuota(message);
  if (status === 429) return rateLimited(retryAfterMs);
  if (status === 401 || status === 403) return unavailable(message);
  if ([408, 504, 520, 524].includes(status)) return unknown(message);
  if (status >= 400 && status < 500) return invalidRequest(message);
  if (status >= 200 && status < 300) return unknown(message);
  return unavailable(message, retryAfterMs);
}

/** Like explainStatus, for the response to a poll: whatever the status, the call remains open. */
export function explainPollStatus(response: HttpResponse, detail: string): CallEnded {
  const { outcome } = explainStatus(response, detail);
  return unknown("message" in outcome ? outcome.message : `status ${response.status}`);
}
