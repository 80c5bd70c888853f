import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";

/**
 * Refuses HTTP/1.1 requests without `Host`, as required by RFC 9112, section 3.2. Node's own response
 * would have no body and no request id.
 */
export function requireHost(request: Request, _response: Response, next: NextFunction): void {
  if (request.httpVersion !== "1.1" || request.headers.host !== undefined) return next();
  throw new AppError("invalid_request", "The header Host is missing. Send it.", {
    details: [{ path: "Host", code: "required", message: "is required" }],
  });
}
