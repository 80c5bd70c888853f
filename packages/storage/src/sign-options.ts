import { contentDisposition } from "./content-disposition.ts";
import type { SignOptions } from "./storage.ts";

/** Maximum lifetime of a signed URL: seven days, the limit of S3. */
export const maxLifetimeSeconds = 604_800;

/** Whether a signed URL may have this lifetime. */
export function isValidLifetime(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= maxLifetimeSeconds;
}

/** @throws Error for an invalid lifetime or download name. */
export function assertSignOptions(options: SignOptions): void {
  if (!isValidLifetime(options.expiresInSeconds)) {
    throw new Error("the lifetime of a signed URL must be 1 second to 7 days");
  }
  contentDisposition(options.downloadName);
}
