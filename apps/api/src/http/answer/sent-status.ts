import type { Response } from "express";

/**
 * The status of a response; null when none was sent, because the client disconnected first or sent an
 * incomplete request that was refused without a route. Node reports 200 then.
 */
export function sentStatus({ headersSent, statusCode }: Response): number | null {
  return headersSent ? statusCode : null;
}
