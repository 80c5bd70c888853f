import { withTimeout } from "@atelier/process";
import type { Storage } from "@atelier/storage";
import type { Logger } from "@atelier/telemetry";

/** Stores may not answer; the service does not depend on it. In milliseconds. */
const timeoutMs = 5_000;

/** Lets web pages read signed URLs, and warns the operator when the store does not. */
export async function allowAnyOrigin(
  storage: Pick<Storage, "allowAnyOrigin">,
  logger: Pick<Logger, "warn">,
): Promise<void> {
  const advice =
    "web pages of other origins cannot read images: allow GET for every origin in the CORS rules of the bucket";
  try {
    if (!(await withTimeout(storage.allowAnyOrigin(), timeoutMs))) logger.warn(advice);
  } catch (error) {
    logger.warn({ err: error }, advice);
  }
}
