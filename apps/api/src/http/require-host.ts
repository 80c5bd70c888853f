import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";

/**
 * Refuses HTTP/1.1 requests without `Host`, and all with more than one, as required by RFC 9112, section 3.2.
 * Node's own response would have no body and no request id, and Node uses the first of several: a proxy that uses
 * the last would see another one.
 */
export function requireHost(request: Request, _response: Response, next: NextFunction): void {
  const count = request.headersDistinct["host"]?.length ?? 0;
  if (count > 1) throw invalidHost("is there more than once", "Send it once.", "repeated");
  if (request.httpVersion !== "1.1" || count === 1) return next();
  throw invalidHost("is missing", "Send it.", "required");
}

function invalidHost(problem: string, advice: string, code: string): AppError {
  return new AppError("invalid_request", `The header Host ${problem}. ${advice}`, {
    details: [{ path: "Host", code, message: code === "required" ? "is required" : problem }],
  });
}
