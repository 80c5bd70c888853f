import type { Provider } from "@atelier/models";
import { serveLane } from "@atelier/queue";
import { startAdmin, type Health, type WorkerAdmin } from "./admin.ts";
import type { WorkerConfig } from "./config.ts";
import { openDependencies, type RenderDependencies } from "./dependencies.ts";
import type { Failpoint } from "./failpoint.ts";
import { startRecovery } from "./recover-generations.ts";
import { renderImage } from "./render-image.ts";

export interface RunningWorker {
  /** Where its probes and metrics are; null without WORKER_ADMIN_PORT. */
  readonly adminPort: number | null;
  /** Takes no more renders, finishes those in work, and closes everything. */
  stop(): Promise<void>;
}

type Phase = "starting" | "ready" | "stopping";

/** Opens the dependencies and serves the lanes. */
export async function startWorker(
  config: WorkerConfig,
  providers?: readonly Provider[],
  failpoint?: Failpoint,
): Promise<RunningWorker> {
  const dependencies = await openDependencies(config, providers, failpoint);
  const { logger } = dependencies;
  let phase: Phase = "starting";
  const admin = await openAdmin(config, dependencies, () => phase).catch(async (error: unknown) => {
    await dependencies.close();
    throw error;
  });
  const adminPort = admin?.port ?? null;
  const lanes = chooseLanes(config.WORKER_LANES, [...dependencies.providers.keys()]);
  const served = await Promise.all(
    lanes.map((lane) =>
      serveLane({
        url: config.QUEUE_URL ?? config.DATABASE_URL,
        lane,
        concurrency: config.WORKER_CONCURRENCY,
        rateLimit: null,
        lockMs: config.WORKER_LOCK_SECONDS * 1_000,
        render: (renderId) => renderImage(renderId, lane, dependencies),
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
  phase = "ready";
  logger.info({ lanes, concurrency: config.WORKER_CONCURRENCY, adminPort }, "worker ready");

  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    phase = "stopping";
    logger.info("worker stopping");
    await recovery.stop();
    await Promise.all(served.map((lane) => lane.drain()));
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
  { database, metrics }: RenderDependencies,
  phase: () => Phase,
): Promise<WorkerAdmin | null> {
  if (config.WORKER_ADMIN_PORT === undefined) return null;
  return startAdmin({
    host: config.WORKER_ADMIN_HOST,
    port: config.WORKER_ADMIN_PORT,
    metricsToken: config.METRICS_TOKEN ?? null,
    metrics: () => metrics.scrape(),
    checkLiveness: () => ({ ok: true, details: {} }),
    async checkReadiness(): Promise<Health> {
      if (phase() !== "ready") return { ok: false, details: { worker: phase() } };
      const answers = await database.check().then(
        () => true,
        () => false,
      );
      return { ok: answers, details: { database: answers ? "ok" : "unavailable" } };
    },
  });
}

function chooseLanes(wanted: string | undefined, known: readonly string[]): readonly string[] {
  if (wanted === undefined) return known;
  const lanes = wanted.split(",").map((lane) => lane.trim());
  const unknown = lanes.find((lane) => !known.includes(lane));
  if (unknown !== undefined) {
    throw new Error(`WORKER_LANES: there is no lane "${unknown}". Known: ${known.join(", ")}.`);
  }
  return lanes;
}
