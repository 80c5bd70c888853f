import { newId } from "@atelier/database";
import type { NextFunction, Request, Response } from "express";

const saneToken = /^[A-Za-z0-9._:-]{1,128}$/;

/** Takes the client's `X-Request-Id` when it is a sane token, makes one otherwise, and sends it back. */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const sent = request.get("X-Request-Id");
  const requestId = sent !== undefined && saneToken.test(sent) ? sent : newId();
  response.locals["requestId"] = requestId;
  response.set("X-Request-Id", requestId);
  next();
}
