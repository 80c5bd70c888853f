import type { NextFunction, Request, Response } from "express";

/** Tells caches not to store responses, which are private to the owner of the key. */
export function forbidStoring(_request: Request, response: Response, next: NextFunction): void {
  response.set("Cache-Control", "no-store");
  next();
}
