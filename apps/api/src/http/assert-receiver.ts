import { problemOfReceiverUrl } from "@atelier/guarded-fetch";
import { invalidRequest } from "@atelier/schemas";
import type { Needs } from "../dependencies.ts";

/**
 * Checks a URL that events are to be sent to.
 *
 * @param path the field of the request.
 * @throws AppError `invalid_request` for a URL that no request is sent to.
 */
export function assertReceiver(url: string, path: string, { config }: Needs<"config">): void {
  const problem = problemOfReceiverUrl(url, config.WEBHOOK_PRIVATE_HOSTS);
  if (problem === null) return;
  const message = `must be a public HTTPS URL on port 443 without credentials (${problem})`;
  throw invalidRequest({ path, code: "invalid_format", message });
}
