import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";

/** Refuses query parameters besides some that have no effect, since others would be dropped silently. */
export function refuseQueryExcept(ignored: readonly string[]) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const names = Object.keys(request.query).filter((name) => !ignored.includes(name));
    refuse(names, ["POST", "PATCH"].includes(request.method));
    next();
  };
}

/** Refuses query parameters on routes that read none. */
export const refuseQuery = refuseQueryExcept([]);

function refuse(names: readonly string[], hasBody: boolean): void {
  const [first] = names;
  if (first === undefined) return;
  const advice = hasBody ? ", or send it in the body" : "";
  throw new AppError(
    "invalid_request",
    `Unknown query parameter "${first.slice(0, 100)}". Remove it from the URL${advice}.`,
    {
      details: names.slice(0, 50).map((name) => ({
        path: name.slice(0, 100),
        code: "unknown_property",
        message: "is not a query parameter of this operation",
      })),
    },
  );
}
