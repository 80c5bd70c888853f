import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";

/**
 * Refuses URLs with a NUL character, which Postgres cannot store or compare. Bodies are checked when they
 * are parsed.
 *
 * @throws AppError `invalid_request`.
 */
export function refuseNul(request: Request, _response: Response, next: NextFunction): void {
  if (request.originalUrl.includes("%00")) {
    throw new AppError("invalid_request", "The URL has a NUL character (%00). Remove it.");
  }
  next();
}
