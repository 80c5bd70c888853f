import type { Caller } from "@atelier/accounts";
import type { AppError, ErrorCode } from "@atelier/schemas";
import type { Request, Response } from "express";

/** What the middleware finds out about a request, in `response.locals`. */
export interface RequestContext {
  requestId: string;
  caller: Caller;
  /** Where the router that took it is mounted: an error that leaves the router takes it away. */
  baseUrl?: string;
  /** The job that it made or was answered with, as soon as there is one. */
  jobId?: string;
  /** The code of the error that it was answered with. */
  errorCode?: ErrorCode | "job_unfinished";
  /** Where errors do not have their usual shape. */
  presentError?: PresentError;
}

/** Status and body that tell a client of an error. */
export type PresentError = (
  error: AppError,
  requestId: string,
) => { readonly status: number; readonly body: object };

/** The context of a request behind authentication. */
export function contextOf(response: Response): RequestContext {
  return response.locals as RequestContext;
}

/** Tells which job a request made or is answered with, and the client where there is time for it yet. */
export function setJob(response: Response, jobId: string): void {
  response.locals["jobId"] = jobId;
  if (!response.headersSent) response.set("X-Service-Job-Id", jobId);
}

/** Aborted when the client goes away before it is answered. */
export function disconnectSignal(request: Request, response: Response): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  if (request.destroyed && !request.complete) controller.abort();
  return controller.signal;
}
