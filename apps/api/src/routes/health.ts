import { AppError } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";

const checkTimeoutMs = 2_000;

/** `GET /healthz`: the process is up. */
export function reportHealth(_request: Request, response: Response): void {
  response.json({ status: "ok" });
}

/**
 * `GET /readyz`: everything that accepting a generation needs answers. Anybody may ask, so all who ask
 * during one look share it.
 */
export function reportReadiness(dependencies: ApiDependencies) {
  let looking: Promise<Readiness> | null = null;
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

type Readiness = Readonly<Record<string, "ok" | "unavailable">>;

async function lookAtParts({
  database,
  queues,
  storage,
  logger,
}: ApiDependencies): Promise<Readiness> {
  const parts = {
    database: () => Promise.all([database.check(), database.pipelined.query("SELECT 1")]),
    queue: () => queues.check(),
    storage: () => storage.check(),
  };
  const checks = Object.entries(parts).map(async ([name, check]) => {
    try {
      await withTimeout(check());
      return [name, "ok"] as const;
    } catch (error) {
      logger.warn({ err: error, part: name }, "not ready");
      return [name, "unavailable"] as const;
    }
  });
  return Object.fromEntries(await Promise.all(checks));
}

async function withTimeout(check: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), checkTimeoutMs);
  });
  try {
    await Promise.race([check, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
