import { AppError } from "@atelier/schemas";
import type { RequestHandler, Response } from "express";

/** Lets requests in until the server stops. */
export interface Gate {
  /** Refuses what still arrives, on connections that are open, once the gate is closed. */
  readonly admit: RequestHandler;
  /** From now on each answer ends its connection, so that no client sends another request on it. */
  close(): void;
}

/** An open gate. */
export function createGate(): Gate {
  const open = new Set<Response>();
  let closed = false;
  return {
    admit(_request, response, next) {
      if (closed) {
        response.set("Connection", "close");
        throw new AppError(
          "shutting_down",
          "This server is being stopped. Send the request again after Retry-After.",
          { retryAfterMs: 1_000 },
        );
      }
      open.add(response);
      response.once("close", () => open.delete(response));
      next();
    },
    close() {
      closed = true;
      for (const response of open) {
        if (!response.headersSent) response.set("Connection", "close");
      }
    },
  };
}
