import { AppError } from "@atelier/schemas";
import type { RequestHandler, Response } from "express";

/** Admits requests until the server stops. */
export interface Gate {
  /** Refuses requests on open connections once the gate is closed. */
  readonly letIn: RequestHandler;
  /** Refuses the probes of load balancers as soon as the drain starts. */
  readonly letProbeIn: RequestHandler;
  /**
   * Starts the drain: from now on each response closes its connection, so that no client sends
   * another request on it.
   */
  drain(): void;
  close(): void;
}

/** Creates an open gate. */
export function createGate(): Gate {
  const open = new Set<Response>();
  let state: "open" | "draining" | "closed" = "open";

  function refuse(response: Response): never {
    response.set("Connection", "close");
    throw new AppError(
      "shutting_down",
      "This server is being stopped. Send the request again after Retry-After.",
      { retryAfterMs: 1_000 },
    );
  }

  function drain(): void {
    state = "draining";
    for (const response of open) {
      if (!response.headersSent) response.set("Connection", "close");
    }
  }

  return {
    letIn(_request, response, next) {
      if (state === "closed") refuse(response);
      if (state === "draining") response.set("Connection", "close");
      open.add(response);
      response.once("close", () => open.delete(response));
      next();
    },
    letProbeIn(_request, response, next) {
      if (state !== "open") refuse(response);
      next();
    },
    drain,
    close() {
      drain();
      state = "closed";
    },
  };
}
