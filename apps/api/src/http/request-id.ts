import { newId } from "@atelier/database";
import { requestIdPattern } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";

/** Uses the client's `X-Request-Id` if it is a valid token, otherwise a new one, and returns it. */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const sent = request.get("X-Request-Id");
  const requestId = sent !== undefined && requestIdPattern.test(sent) ? sent : newId();
  response.locals["requestId"] = requestId;
  response.set("X-Request-Id", requestId);
  next();
}
