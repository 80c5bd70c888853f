import type { Caller } from "@atelier/accounts";
import type { ErrorCode } from "@atelier/schemas";
import type { Request, Response } from "express";

/** What the middleware finds out about a request, in `response.locals`. */
export interface RequestContext {
  requestId: string;
  caller: Caller;
  /** Where the router that took it is mounted: an error that leaves the router takes it away. */
  baseUrl?: string;
  /** The code of the error that it was answered with. */
  errorCode?: ErrorCode;
}

/** The context of a request behind authentication. */
export function contextOf(response: Response): RequestContext {
  return response.locals as RequestContext;
}

/** Aborted when the client goes away before it is answered. */
export function disconnectSignal(request: Request, response: Response): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  if (request.destroyed && !request.complete) controller.abort();
  return controller.signal;
}
