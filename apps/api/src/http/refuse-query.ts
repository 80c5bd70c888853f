import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";

/** Refuses query parameters besides some that have no effect, since others would be dropped silently. */
export function refuseQueryExcept(ignored: readonly string[]) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    refuse(Object.keys(request.query).filter((name) => !ignored.includes(name)));
    next();
  };
}

/** Refuses query parameters on routes that read none. */
export const refuseQuery = refuseQueryExcept([]);

function refuse(names: readonly string[]): void {
  const [first] = names;
  if (first === undefined) return;
  throw new AppError(
    "invalid_request",
    `Unknown query parameter "${first.slice(0, 100)}". Remove it from the URL, or send it in the body.`,
    {
      details: names.slice(0, 50).map((name) => ({
        path: name.slice(0, 100),
        code: "unknown_property",
        message: "is not a query parameter of this operation",
      })),
    },
  );
}
