import { contentDisposition } from "./content-disposition.ts";
import type { SignOptions } from "./storage.ts";

/** Seven days, which is as long as S3 allows. */
export const longestLifeSeconds = 604_800;

/** Whether a signed URL can live that long. */
export function isLife(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= longestLifeSeconds;
}

/** Throws for a life or a name that a signed URL cannot have. */
export function assertSignOptions(options: SignOptions): void {
  if (!isLife(options.expiresInSeconds)) {
    throw new Error("a signed URL lives from 1 second to 7 days");
  }
  contentDisposition(options.downloadName);
}
