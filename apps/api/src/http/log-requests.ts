import type { NextFunction, Request, Response } from "express";
import type { Logger } from "pino";

/** One line for each request: what was asked, by whom, and what came of it; never what it said. */
export function logRequests(logger: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    // Captured now: routers shorten it. The query may hold signatures and is left out.
    const { method, path } = request;
    response.once("close", () => {
      const { requestId, caller } = response.locals;
      logger.info(
        {
          requestId,
          method,
          path,
          status: response.statusCode,
          durationMs: Math.round(performance.now() - startedAt),
          accountId: caller?.accountId,
          jobId: response.get("X-Service-Job-Id"),
          answered: response.writableFinished,
        },
        "request",
      );
    });
    next();
  };
}
