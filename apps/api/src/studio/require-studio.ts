import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";
import { isFromStudio } from "./is-from-studio.ts";

/** @throws AppError `unauthorized` for requests that no page of Studio sent. */
export function requireStudio(request: Request, _response: Response, next: NextFunction): void {
  if (!isFromStudio(request)) {
    throw new AppError(
      "unauthorized",
      "Only pages of Studio may sign in and out here. Clients send Authorization: Bearer <key>.",
    );
  }
  next();
}
