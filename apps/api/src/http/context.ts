import type { Caller } from "@atelier/accounts";
import type { AppError, ErrorCode } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { Policy } from "./policy.ts";

/** Data that middleware attaches to a request, in `response.locals`. */
export interface RequestContext {
  requestId: string;
  caller: Caller;
  /** The rate limit that the request was taken from. */
  policy: Policy;
  /** Number of bytes read of its body. */
  bodyBytes?: number;
  /** Mount path of the matched router, which Express clears when an error leaves the router. */
  baseUrl?: string;
  /** The job that the request created or returned, once known. */
  jobId?: string;
  /** The error code of the response. */
  errorCode?: ErrorCode | "job_unfinished";
  /** It was held open, by an event stream or a wait for a job: its duration is no measure of the service. */
  isHeldOpen?: boolean;
  /** Overrides the format of error responses. */
  presentError?: PresentError;
}

/** Builds status and body of an error response. */
export type PresentError = (
  error: AppError,
  requestId: string,
) => { readonly status: number; readonly body: object };

/** Returns the context of an authenticated request. */
export function contextOf(response: Response): RequestContext {
  return response.locals as RequestContext;
}

/** Records the job of a request, and sends its header unless the headers are already sent. */
export function setJob(response: Response, jobId: string): void {
  response.locals["jobId"] = jobId;
  if (!response.headersSent) response.set("X-Service-Job-Id", jobId);
}

/** Creates a signal that aborts when the client disconnects before its response. */
export function disconnectSignal(request: Request, response: Response): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  if (request.destroyed && !request.complete) controller.abort();
  return controller.signal;
}
