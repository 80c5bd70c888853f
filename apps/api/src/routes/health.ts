import { checkParts } from "@atelier/configuration";
import { AppError } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";

/** `GET /healthz`: the process is up. */
export function reportHealth(_request: Request, response: Response): void {
  response.json({ status: "ok" });
}

/**
 * `GET /readyz`: everything that accepting a generation needs answers. Anybody may ask, so all who ask
 * during one look share it.
 */
export function reportReadiness(dependencies: ApiDependencies) {
  let looking: ReturnType<typeof lookAtParts> | null = null;
  return async (_request: Request, response: Response): Promise<void> => {
    looking ??= lookAtParts(dependencies).finally(() => {
      looking = null;
    });
    const details = await looking;
    if (Object.values(details).some((state) => state !== "ok")) {
      throw new AppError("overloaded", "The service cannot take requests now. Try again later.", {
        details,
      });
    }
    response.json({ status: "ok", ...details });
  };
}

function lookAtParts({ database, queues, storage, logger }: ApiDependencies) {
  return checkParts(
    {
      database: () => Promise.all([database.check(), database.pipelined.query("SELECT 1")]),
      queue: () => queues.check(),
      storage: () => storage.check(),
    },
    (part, err) => logger.warn({ err, part }, "not ready"),
  );
}
