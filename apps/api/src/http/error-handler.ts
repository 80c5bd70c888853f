import { isTransient } from "@atelier/database";
import { AppError, type ErrorBody } from "@atelier/schemas";
import { StorageError } from "@atelier/storage";
import type { Logger } from "@atelier/telemetry";
import type { NextFunction, Request, Response } from "express";
import type { PresentError, RequestContext } from "./context.ts";

/** Turns whatever was thrown into the error body; what is not an AppError becomes `internal_error`. */
export function handleErrors(logger: Logger) {
  return (thrown: unknown, request: Request, response: Response, next: NextFunction): void => {
    const error = toAppError(thrown);
    if (error.status >= 500) {
      const { requestId } = response.locals;
      logger.error({ err: error.cause ?? error, requestId, path: request.path }, "request failed");
    }
    // Nobody hears it: the client has gone, or was told already that it sent no whole request.
    if (!request.socket.writable) return;
    response.locals["errorCode"] = error.code;
    // Too late for an error body: end the connection, so that nobody takes half an answer for a whole.
    if (response.headersSent) return next(thrown);
    sendError(response, error);
  };
}

/** Sends an error body with the status of its code. */
function sendError(response: Response, error: AppError): void {
  const retryAfter = retryAfterSeconds(error);
  if (retryAfter !== undefined) response.set("Retry-After", String(retryAfter));
  const { presentError = presentAsUsual, requestId } = response.locals as Partial<RequestContext>;
  const { status, body } = presentError(error, String(requestId));
  response.status(status).json(body);
}

/** How long to wait before trying again, in whole seconds; undefined where that would not help. */
export function retryAfterSeconds({ retryAfterMs, status }: AppError): number | undefined {
  const ms = retryAfterMs ?? (status === 503 ? 5_000 : undefined);
  return ms === undefined ? undefined : Math.max(1, Math.ceil(ms / 1_000));
}

const presentAsUsual: PresentError = (error, requestId) => ({
  status: error.status,
  body: toErrorBody(error, requestId),
});

/** Has the errors of the requests that it is used for presented otherwise than as usual. */
export function presentErrors(presentError: PresentError) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    response.locals["presentError"] = presentError;
    next();
  };
}

/** The body of every answer that is not a 2xx. */
export function toErrorBody(error: AppError, requestId: string): ErrorBody {
  return {
    error: error.code,
    message: error.message,
    request_id: requestId,
    details: error.details as ErrorBody["details"],
  };
}

/** An AppError as it is; what is not one becomes `overloaded` where it may pass, or `internal_error`. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  // A path that is not valid percent-encoding; Express reports it with a status of its own.
  if (thrown instanceof URIError) {
    return new AppError("invalid_request", "The path is not valid. Correct the URL.", {
      cause: thrown,
    });
  }
  if (isTransient(thrown) || thrown instanceof StorageError) {
    return new AppError("overloaded", "The service cannot take requests now. Try again later.", {
      cause: thrown,
    });
  }
  return new AppError(
    "internal_error",
    "Something went wrong on our side. Try again; if it stays, tell the operator the request_id.",
    { cause: thrown },
  );
}

/** No route took the request. */
export function refuseUnknownRoute(request: Request): never {
  throw new AppError(
    "not_found",
    `There is no ${request.method} ${request.path.slice(0, 200)}. Correct the method or the path.`,
  );
}
