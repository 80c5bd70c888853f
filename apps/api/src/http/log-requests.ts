import { currentTraceId } from "@atelier/telemetry";
import type { NextFunction, Request, Response } from "express";
import type { Needs } from "../dependencies.ts";
import { sentStatus } from "./answer/sent-status.ts";
import type { RequestContext } from "./context.ts";
import { knownMethod, loggedPath, routeTemplate } from "./route-template.ts";

/**
 * Logs one line for each request: operation, caller and outcome, never content. The metrics count the
 * same requests.
 */
export function logRequests({ logger, metrics }: Needs<"logger" | "metrics">) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    // Captured now, since routers shorten it. The query may contain signatures and is omitted.
    const { path } = request;
    const traceId = currentTraceId();
    response.once("close", () => {
      const { requestId, caller, jobId, errorCode, isHeldOpen } =
        response.locals as Partial<RequestContext>;
      const method = knownMethod(request);
      const route = routeTemplate(request, response, path);
      const status = sentStatus(response);
      const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
      metrics.requestEnded({
        method,
        route,
        status,
        durationMs: isHeldOpen === true ? null : durationMs,
        code: errorCode ?? null,
      });
      logger.info(
        {
          requestId,
          ...(traceId === null ? {} : { traceId }),
          method: request.method,
          path: loggedPath(path),
          route,
          status,
          code: errorCode ?? null,
          durationMs,
          accountId: caller?.accountId,
          keyId: caller?.keyId,
          generationId: jobId,
          replayed: response.get("Idempotent-Replayed") === "true",
          // False when the client disconnected before the end of its response.
          answered: response.writableFinished,
        },
        "request",
      );
    });
    next();
  };
}
