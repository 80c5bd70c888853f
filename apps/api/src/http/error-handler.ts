import { isTransient } from "@atelier/database";
import { LimitError } from "@atelier/kit/limited-process";
import { AppError, type ErrorBody } from "@atelier/schemas";
import { StorageError } from "@atelier/storage";
import type { Logger } from "@atelier/telemetry";
import type { NextFunction, Request, Response } from "express";
import type { Needs } from "../dependencies.ts";
import { endWithError, isKeptOpen } from "./answer/keep-open.ts";
import type { PresentError, RequestContext } from "./context.ts";
import { chargeBody } from "./limits/rate-limit.ts";
import { loggedPath } from "./route-template.ts";

/** Charges requests that were refused after their body was read. */
export function chargeRefusals(dependencies: Needs<"admissions" | "logger">) {
  return async (
    thrown: unknown,
    _request: Request,
    response: Response,
    next: NextFunction,
  ): Promise<void> => {
    if (toAppError(thrown).status < 500) await chargeBody(response, dependencies);
    next(thrown);
  };
}

/**
 * Sends the error response for anything thrown; errors other than AppError become `internal_error`.
 */
export function handleErrors(logger: Pick<Logger, "warn" | "error">) {
  return (thrown: unknown, request: Request, response: Response, next: NextFunction): void => {
    const error = toAppError(thrown);
    if (error.status >= 500) {
      const { requestId } = response.locals;
      const entry = { err: error.cause ?? error, requestId, path: loggedPath(request.path) };
      // The service refuses on purpose what it has no room for; nothing has failed.
      if (error.status === 503 && error.cause === undefined) logger.warn(entry, "request refused");
      else logger.error(entry, "request failed");
    }
    // The response cannot be delivered: the client has disconnected or already received an error.
    if (!request.socket.writable) return;
    response.locals["errorCode"] = error.code;
    // Too late for an error body: close the connection, so that the client sees a truncated response.
    if (response.headersSent && !isKeptOpen(response)) return next(thrown);
    sendError(response, error);
  };
}

/** Sends an error body with the status of its code, or as the last event of a stream that has begun. */
function sendError(response: Response, error: AppError): void {
  const { presentError = presentAsUsual, requestId } = response.locals as Partial<RequestContext>;
  const { status, body } = presentError(error, String(requestId));
  if (response.headersSent) return endWithError(response, body);
  const retryAfter = retryAfterSeconds(error);
  if (retryAfter !== undefined) response.set("Retry-After", String(retryAfter));
  response.status(status).json(body);
}

/** Value of Retry-After in seconds; undefined when a retry would not help. */
export function retryAfterSeconds({ retryAfterMs, status }: AppError): number | undefined {
  const ms = retryAfterMs ?? (status === 503 ? 5_000 : undefined);
  return ms === undefined ? undefined : Math.max(1, Math.ceil(ms / 1_000));
}

const presentAsUsual: PresentError = (error, requestId) => ({
  status: error.status,
  body: toErrorBody(error, requestId),
});

/** Builds the body of an error response. */
export function toErrorBody(error: AppError, requestId: string): ErrorBody {
  return {
    error: error.code,
    message: error.message,
    request_id: requestId,
    details: error.details as ErrorBody["details"],
  };
}

/**
 * Converts errors other than AppError: transient ones, as those of a busy machine, to `overloaded`, others
 * to `internal_error`.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  // Invalid percent-encoding in the path; Express would use its own status.
  if (thrown instanceof URIError) {
    return new AppError("invalid_request", "The path is not valid. Correct the URL.", {
      cause: thrown,
    });
  }
  if (isTransient(thrown) || thrown instanceof StorageError || thrown instanceof LimitError) {
    return new AppError("overloaded", "The service cannot take requests now. Try again later.", {
      cause: thrown,
    });
  }
  return new AppError(
    "internal_error",
    "An internal error occurred. Try again; if the error persists, send the request_id to the operator.",
    { cause: thrown },
  );
}
