import {
  invalidRequest,
  outOfQuota,
  rateLimited,
  unavailable,
  unknown,
  type CallEnded,
} from "./call-ended.ts";
import { parseRetryAfter } from "./retry-after.ts";
import type { HttpAnswer } from "./send.ts";

/**
 * What an HTTP status means where a vendor gives it no meaning of its own; adapters look for theirs
 * first. `said` is the vendor's explanation, for the operator.
 *
 * - 402: out of quota; 429: rate-limited.
 * - 401, 403: the key is not accepted. It is the operator's to mend and says nothing against the
 *   request, which another provider may carry out: unavailable.
 * - 408, 504, 520 and 524: somebody on the way gave up waiting; the image may have been made: unknown.
 * - Any other 5xx, and redirects, which are not followed: unavailable.
 * - Any other 4xx: the request is not taken.
 */
export function explainStatus(answer: HttpAnswer, said: string): CallEnded {
  const { status, headers } = answer;
  const message = said === "" ? `status ${status}` : `status ${status}: ${said}`;
  const retryAfterMs = parseRetryAfter(headers["retry-after"]);
  if (status === 402) return outOfQuota(message);
  if (status === 429) return rateLimited(retryAfterMs);
  if (status === 401 || status === 403) return unavailable(message);
  if ([408, 504, 520, 524].includes(status)) return unknown(message);
  if (status >= 400 && status < 500) return invalidRequest(message);
  if (status >= 200 && status < 300) return unknown(message);
  return unavailable(message, retryAfterMs);
}

/** As explainStatus, for an answer about a call that goes on: whatever it says, the call is open. */
export function explainPollStatus(answer: HttpAnswer, said: string): CallEnded {
  const { outcome } = explainStatus(answer, said);
  return unknown("message" in outcome ? outcome.message : `status ${answer.status}`);
}
