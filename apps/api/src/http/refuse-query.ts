import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";

/** Refuses a query where none is read: what it says would be dropped in silence. */
export function refuseQuery(request: Request, _response: Response, next: NextFunction): void {
  const names = Object.keys(request.query);
  const [first] = names;
  if (first === undefined) return next();
  throw new AppError(
    "invalid_request",
    `There is no query parameter "${first.slice(0, 100)}" here. Take it out of the URL, and see whether it belongs in the body.`,
    {
      details: names.slice(0, 50).map((name) => ({
        path: name.slice(0, 100),
        code: "unknown_property",
        message: "is no query parameter of this operation",
      })),
    },
  );
}
