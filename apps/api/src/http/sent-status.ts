import type { Response } from "express";

/**
 * The status that a request was answered with; null when it was not, because its client went away
 * first, or because it did not arrive whole and was refused without a route. Node has 200 there.
 */
export function sentStatus({ headersSent, statusCode }: Response): number | null {
  return headersSent ? statusCode : null;
}
