import { checkParts, opening } from "@atelier/configuration";
import { serveLane, type ServedLane } from "@atelier/queue";
import { startAdmin, type Health, type WorkerAdmin } from "./admin.ts";
import type { WorkerConfig } from "./config.ts";
import { openDependencies, type RenderDependencies, type WorkerOptions } from "./dependencies.ts";
import { laneOf } from "./lanes.ts";
import { startRecovery } from "./start-recovery.ts";
import { renderImage } from "./render-image.ts";
import { startSweep } from "./sweep/start-sweep.ts";

export interface RunningWorker {
  /** Where its probes and metrics are; null without WORKER_ADMIN_PORT. */
  readonly adminPort: number | null;
  /**
   * Takes no more renders and finishes those in work; what is not finished after
   * `WORKER_DRAIN_SECONDS` is handed back for others to begin at once. Then closes everything.
   */
  stop(): Promise<void>;
}

type Phase = "starting" | "ready" | "stopping";

/** Opens the dependencies and serves the lanes. */
export async function startWorker(
  config: WorkerConfig,
  options: WorkerOptions = {},
): Promise<RunningWorker> {
  const dependencies = await openDependencies(config, options);
  const { logger, lanes, servedLanes } = dependencies;
  let phase: Phase = "starting";
  let served: readonly ServedLane[] = [];
  const isServing = () => served.every((lane) => lane.isServing());
  const admin = await openAdmin(config, dependencies, () => phase, isServing).catch(
    async (error: unknown) => {
      await dependencies.close();
      throw error;
    },
  );
  const adminPort = admin?.port ?? null;
  const leaving = new AbortController();
  served = await Promise.all(
    servedLanes.map((lane) =>
      serveLane({
        url: config.QUEUE_URL ?? config.DATABASE_URL,
        lane,
        concurrency: laneOf(lanes, lane).concurrency,
        rateLimit: laneOf(lanes, lane).rateLimit,
        traced: dependencies.traced,
        lockMs: config.WORKER_LOCK_SECONDS * 1_000,
        render: (renderId) => renderImage(renderId, lane, dependencies, leaving.signal),
        onError: (error) => logger.warn({ err: error, lane }, "queue error"),
      }),
    ),
  );
  const recovery = startRecovery(
    {
      intervalMs: config.RECOVERY_INTERVAL_SECONDS * 1_000,
      unattendedAfterMs: config.RECOVERY_AFTER_SECONDS * 1_000,
    },
    dependencies,
  );
  const sweep = startSweep(
    {
      retentionMs: config.RETENTION_HOURS * 3_600_000,
      intervalMs: config.SWEEP_INTERVAL_SECONDS * 1_000,
    },
    { ...dependencies, now: Date.now },
  );
  phase = "ready";
  logger.info(
    { lanes: servedLanes, concurrency: config.WORKER_CONCURRENCY, adminPort },
    "worker ready",
  );

  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    phase = "stopping";
    logger.info("worker stopping");
    const timer = setTimeout(() => leaving.abort(), config.WORKER_DRAIN_SECONDS * 1_000);
    await Promise.all([recovery.stop(), sweep.stop(), ...served.map((lane) => lane.drain())]);
    clearTimeout(timer);
    await admin?.close();
    await dependencies.close();
    logger.info("worker stopped");
  }
  return {
    adminPort,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Probes and metrics, where a port is set. */
async function openAdmin(
  config: WorkerConfig,
  { database, queues, metrics, logger }: RenderDependencies,
  phase: () => Phase,
  isServing: () => boolean,
): Promise<WorkerAdmin | null> {
  if (config.WORKER_ADMIN_PORT === undefined) return null;
  return opening(
    "WORKER_ADMIN_PORT, WORKER_ADMIN_HOST",
    startAdmin({
      host: config.WORKER_ADMIN_HOST,
      port: config.WORKER_ADMIN_PORT,
      metricsToken: config.METRICS_TOKEN ?? null,
      metrics: () => metrics.scrape(),
      // That it answers at all is what is asked: a store that is away is not mended by another process.
      checkLiveness: () => ({ ok: true, details: {} }),
      async checkReadiness(): Promise<Health> {
        if (phase() !== "ready") return { ok: false, details: { worker: phase() } };
        const parts = await checkParts(
          { database: () => database.check(), queue: () => queues.check() },
          (part, err) => logger.warn({ err, part }, "not ready"),
        );
        const details = { ...parts, lanes: isServing() ? "ok" : "unavailable" };
        return { ok: Object.values(details).every((state) => state === "ok"), details };
      },
    }),
  );
}
