import { hostname } from "node:os";
import { newId } from "@atelier/database";
import { announceWorker, removeWorker } from "@atelier/generations/inspect";
import { startLoop } from "@atelier/process";
import packageJson from "../../package.json" with { type: "json" };
import type { RenderDependencies } from "../dependencies.ts";

/** Between two heartbeats, in milliseconds. */
const intervalMs = 30_000;

/** Tells operators that this worker runs, until it is stopped. */
export function startHeartbeat({
  database,
  logger,
  servedLanes,
}: Pick<RenderDependencies, "database" | "logger" | "servedLanes">): { stop(): Promise<void> } {
  const worker = {
    id: newId(),
    host: hostname(),
    version: packageJson.version,
    lanes: servedLanes,
  };
  const onError = (error: unknown) => logger.warn({ err: error }, "a heartbeat was not recorded");
  const loop = startLoop(() => announceWorker(database, worker), {
    firstDelayMs: 0,
    delayMs: () => intervalMs,
    onError,
  });
  return {
    async stop() {
      await loop.stop();
      // Without it, operators see a silent worker for a day. A stop without the database abandons the statement.
      await removeWorker(database.repeatable, worker.id).catch(onError);
    },
  };
}
