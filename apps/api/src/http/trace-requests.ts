import { traceRequest } from "@atelier/telemetry";
import type { NextFunction, Request, Response } from "express";
import { sentStatus } from "./answer/sent-status.ts";
import type { RequestContext } from "./context.ts";
import { knownMethod, routeTemplate } from "./route-template.ts";

/**
 * Records a span for each request, in the client's trace if it sent a `traceparent`. Attributes
 * follow OpenTelemetry's semantic conventions for HTTP, and use `atelier.` for our own.
 */
export function traceRequests(request: Request, response: Response, next: NextFunction): void {
  const { path } = request;
  traceRequest(request.headers, (end) => {
    response.once("close", () => {
      const { requestId, caller, jobId, errorCode } = response.locals as Partial<RequestContext>;
      const route = routeTemplate(request, response, path);
      const method = knownMethod(request);
      end({
        name: `${method} ${route}`,
        failed: response.statusCode >= 500,
        facts: {
          "http.request.method": method,
          "http.route": route,
          "http.response.status_code": sentStatus(response) ?? undefined,
          "atelier.request_id": requestId,
          "atelier.account_id": caller?.accountId,
          "atelier.generation_id": jobId,
          "atelier.code": errorCode,
        },
      });
    });
    next();
  });
}
