import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { newId } from "@atelier/database";
import { AppError } from "@atelier/schemas";
import type { Needs } from "../dependencies.ts";
import { toErrorBody } from "./error-handler.ts";

/**
 * Responds to requests that are not valid HTTP or timed out. They reach no route, and Node's own
 * response has no body and uses statuses outside of the contract. They are logged and counted like
 * all others.
 */
export function refuseMalformed({ logger, metrics }: Needs<"logger" | "metrics">) {
  return (cause: NodeJS.ErrnoException, socket: Duplex): void => {
    if (cause.code === "ECONNRESET" || !socket.writable || isUnused(cause, socket)) {
      socket.destroy();
      return;
    }
    const requestId = newId();
    const error = explain(cause);
    const { status, code } = error;
    const body = JSON.stringify(toErrorBody(error, requestId));
    const head = [
      `HTTP/1.1 ${status} Bad Request`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      "Connection: close",
    ];
    const unread = { method: "other", route: "unmatched", status, code, durationMs: 0 };
    metrics.requestEnded(unread);
    logger.info({ requestId, ...unread }, "request");
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  };
}

/**
 * Whether a connection timed out before its first byte. Browsers open connections ahead of their
 * requests, and would take an error here for the response to a request that they send meanwhile;
 * they repeat a request on a connection that was closed without a response.
 */
function isUnused(cause: NodeJS.ErrnoException, socket: Duplex): boolean {
  return cause.code === "ERR_HTTP_REQUEST_TIMEOUT" && (socket as Socket).bytesRead === 0;
}

function explain(cause: NodeJS.ErrnoException): AppError {
  if (cause.code === "HPE_HEADER_OVERFLOW") {
    return new AppError("request_too_large", "The headers are larger than 16 kB. Send less.", {
      cause,
    });
  }
  const message =
    cause.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? "The request was not complete in time. Send it again."
      : "This is not an HTTP request. Correct it.";
  return new AppError("invalid_request", message, { cause });
}
