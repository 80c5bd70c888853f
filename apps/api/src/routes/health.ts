import { checkParts } from "@atelier/process";
import { AppError } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { Needs } from "../dependencies.ts";
import type { Parts } from "../parts.ts";

/** `GET /healthz`: liveness. */
export function reportHealth(_request: Request, response: Response): void {
  response.json({ status: "ok" });
}

/** Health of all dependencies of the API. */
type States = Parts["states"] & { readonly database: "ok" | "unavailable" };

/**
 * `GET /readyz`: ready while the database responds. Without the queue or the storage the API still
 * reads jobs and accounts and accepts most requests: it stays ready and reports itself as degraded,
 * so that a partial outage does not take every API out of service. Concurrent probes share one check.
 */
export function reportReadiness(dependencies: Needs<"database" | "logger" | "parts">) {
  let runningCheck: Promise<States> | null = null;
  return async (_request: Request, response: Response): Promise<void> => {
    runningCheck ??= readStates(dependencies).finally(() => {
      runningCheck = null;
    });
    const parts = await runningCheck;
    if (parts.database !== "ok") {
      throw new AppError("overloaded", "The service cannot take requests now. Try again later.", {
        details: parts,
      });
    }
    const isDegraded = Object.values(parts).some((state) => state !== "ok");
    response.json({ status: isDegraded ? "degraded" : "ready", parts });
  };
}

async function readStates({
  database,
  parts,
  logger,
}: Needs<"database" | "logger" | "parts">): Promise<States> {
  const checked = await checkParts(
    {
      database: () => Promise.all([database.check(), database.pipelined.query("SELECT 1")]),
    },
    (part, err) => logger.warn({ err, part }, "not ready"),
  );
  return { ...checked, ...parts.states };
}
