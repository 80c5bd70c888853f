import { warnOfConnections } from "@atelier/database";
import { setTimeout as delay } from "node:timers/promises";
import { openSetting, queueUrlOf } from "@atelier/configuration";
import { deliveryChannel } from "@atelier/events";
import { batchPlaceChannel } from "@atelier/generations/batches";
import { laneHealthChannel } from "@atelier/generations/claims";
import { keepingChannel } from "@atelier/generations/library";
import { enginePlaceChannel } from "@atelier/generations/servers";
import { checkParts } from "@atelier/process";
import { serveLane, type RenderVerdict, type ServedLane } from "@atelier/queue";
import { startAdmin, type Health, type WorkerAdmin } from "./admin.ts";
import type { WorkerConfig } from "./config.ts";
import { openDependencies, type RenderDependencies, type WorkerOptions } from "./dependencies.ts";
import { startKeeping } from "./keeping/start-keeping.ts";
import { startHeartbeat } from "./recovery/start-heartbeat.ts";
import { startBatchPlaces } from "./lanes/batch-places.ts";
import { laneOf } from "./lanes/lanes.ts";
import { adviceOn } from "./missing-marks.ts";
import { startBackfills } from "./recovery/start-backfills.ts";
import { startRecovery } from "./recovery/start-recovery.ts";
import type { Leaving } from "./render/leave.ts";
import { renderImage } from "./render/render-image.ts";
import { listServersDown } from "./servers/list-servers.ts";
import { startServerChecks } from "./servers/server-health.ts";
import { startSweep } from "./sweep/start-sweep.ts";
import { startDropping } from "./webhooks/start-dropping.ts";
import { untilDown } from "./until-down.ts";
import { startWebhooks } from "./webhooks/start-webhooks.ts";

interface RunningWorker {
  /** Port of the probes and metrics; null without WORKER_ADMIN_PORT. */
  readonly adminPort: number | null;
  /**
   * Stops claiming renders and returns those to the queue that another worker continues at no cost: before
   * their call, and in one that can be resumed by its id. Finishes the others, of which those that are
   * unfinished after `WORKER_DRAIN_SECONDS` are returned too. Then closes everything.
   *
   * While the database is down, waits only for calls of providers, whose images are staged: all other
   * work fails at once and is repeated by another worker, since a claim fences it.
   */
  stop(): Promise<void>;
}

/** Time for the queue to take renders back while the database is down, in milliseconds. */
const handBackMs = 1_000;

type Phase = "starting" | "ready" | "stopping";

/** Opens the dependencies and serves the lanes. */
export async function startWorker(
  config: WorkerConfig,
  options: WorkerOptions = {},
): Promise<RunningWorker> {
  let phase: Phase = "starting";
  let served: readonly ServedLane[] = [];
  let opened: RenderDependencies | null = null;
  let admin = null as WorkerAdmin | null;
  const dependencies = await openDependencies(config, options, async (prepared) => {
    admin = await openAdmin(config, prepared, async () => {
      if (opened === null || phase !== "ready") return { ok: false, details: { worker: phase } };
      return checkReadiness(opened, served);
    });
  });
  opened = dependencies;
  const { logger, lanes, servedLanes } = dependencies;
  const adminPort = admin?.port ?? null;
  const stopBegins = new AbortController();
  const timeUp = new AbortController();
  const leaving = { stopping: stopBegins.signal, timeUp: timeUp.signal };
  const recovery = startRecovery(
    {
      intervalMs: config.RECOVERY_INTERVAL_SECONDS * 1_000,
      unattendedAfterMs: config.RECOVERY_AFTER_SECONDS * 1_000,
    },
    dependencies,
  );
  const batchPlaces = startBatchPlaces(
    servedLanes.map((lane) => ({ lane, concurrency: laneOf(lanes, lane).concurrency })),
    dependencies,
  );
  served = await Promise.all(
    servedLanes.map((lane) =>
      serveLane({
        url: queueUrlOf(config),
        lane,
        concurrency: laneOf(lanes, lane).concurrency,
        rateLimit: laneOf(lanes, lane).rateLimit,
        traced: dependencies.traced,
        lockMs: config.WORKER_LOCK_SECONDS * 1_000,
        isBusy: () => recovery.isBusy(),
        render: (renderId, isInBatch) =>
          batchPlaces.run({ renderId, lane, isInBatch }, () =>
            renderWhenUsable(renderId, lane, dependencies, leaving),
          ),
        onError: (error) => logger.warn({ err: error, lane }, "queue error"),
      }),
    ),
  );
  const sweep = startSweep(
    {
      retentionMs: config.RETENTION_HOURS * 3_600_000,
      jobRetentionMs:
        config.JOB_RETENTION_DAYS === undefined ? null : config.JOB_RETENTION_DAYS * 86_400_000,
      batchRetentionMs:
        config.BATCH_RETENTION_DAYS === undefined ? null : config.BATCH_RETENTION_DAYS * 86_400_000,
      memberRetentionMs: config.MEMBER_RETENTION_DAYS * 86_400_000,
      dossierRetentionMs: config.PROVENANCE_RETENTION_DAYS * 86_400_000,
      intervalMs: config.SWEEP_INTERVAL_SECONDS * 1_000,
    },
    { ...dependencies, now: Date.now },
  );
  const keeping = startKeeping({ quotaBytes: config.KEEP_QUOTA_MB * 1_000_000 }, dependencies);
  const serverChecks = startServerChecks(dependencies);
  const backfills = startBackfills(dependencies);
  const webhooks = startWebhooks({
    ...dependencies,
    sign: (storageKey, downloadName) =>
      dependencies.storage.sign(storageKey, {
        expiresInSeconds: config.URL_LIFE_SECONDS,
        downloadName,
      }),
  });
  const dropping = startDropping(dependencies);
  const listener = await dependencies.database.listen(
    {
      [deliveryChannel]: () => webhooks.wake(),
      [keepingChannel]: () => keeping.wake(),
      [batchPlaceChannel]: () => batchPlaces.wake(),
      [laneHealthChannel]: () => dependencies.laneHealth.refresh(),
      [enginePlaceChannel]: () => dependencies.waitingCalls.wake(),
    },
    {
      onConnected() {
        webhooks.wake();
        keeping.wake();
        batchPlaces.wake();
        dependencies.laneHealth.refresh();
      },
      isRequired: false,
    },
  );
  // Last: a signal during the start ends the process without a stop.
  const heartbeat = startHeartbeat(dependencies);
  phase = "ready";
  void warnOfConnections(dependencies.database, logger);
  logger.info(
    { lanes: servedLanes, concurrency: config.WORKER_CONCURRENCY, adminPort },
    "worker ready",
  );

  async function drainAndClose(): Promise<void> {
    await Promise.all([
      listener.close(),
      recovery.stop(),
      sweep.stop(),
      keeping.stop(),
      serverChecks?.stop(),
      backfills.stop(),
      webhooks.stop(),
      dropping.stop(),
      heartbeat.stop(),
      batchPlaces.stop(),
      ...served.map((lane) => lane.drain()),
    ]);
    await admin?.close();
    await dependencies.close();
  }

  /** Resolves when the database is down and the renders in work have ended. */
  async function abandonWhenDown(stopped: AbortSignal): Promise<void> {
    await untilDown(() => dependencies.database.check(), stopped);
    logger.warn("the database is unavailable: stopping without it");
    dependencies.database.abandon();
    await Promise.all(served.map((lane) => lane.untilIdle()));
    // For a queue that is available: it returns the renders to other workers at once.
    await delay(handBackMs, undefined, { signal: stopped });
  }

  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    phase = "stopping";
    logger.info("worker stopping");
    const timer = setTimeout(() => timeUp.abort(), config.WORKER_DRAIN_SECONDS * 1_000);
    const stopped = new AbortController();
    const drained = drainAndClose();
    // Once the lanes take no more renders, so that those handed back go to other workers.
    stopBegins.abort();
    await Promise.race([drained, abandonWhenDown(stopped.signal)]);
    stopped.abort();
    clearTimeout(timer);
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

/**
 * Renders an image once the storage is available. No render is claimed during an outage, since each
 * would only fail and be retried.
 */
async function renderWhenUsable(
  renderId: string,
  lane: string,
  dependencies: RenderDependencies,
  leaving: Leaving,
): Promise<RenderVerdict> {
  try {
    await dependencies.storage.untilUsable(leaving.stopping);
  } catch {
    return { kind: "retry", reason: "the worker stopped before it began", delayMs: 0 };
  }
  return renderImage(renderId, lane, dependencies, leaving);
}

async function checkReadiness(
  dependencies: RenderDependencies,
  served: readonly ServedLane[],
): Promise<Health> {
  const { database, queues, storage, missingMarks, remoteModeration, logger } = dependencies;
  const parts = await checkParts(
    { database: () => database.check(), queue: () => queues.check() },
    (part, err) => logger.warn({ err, part }, "not ready"),
  );
  const details = {
    ...parts,
    storage: storage.state().isOpen ? "unavailable" : "ok",
    lanes: served.every((lane) => lane.isServing()) ? "ok" : "unavailable",
  };
  const moderation = remoteModeration?.state() ?? null;
  const serversDown = listServersDown(dependencies);
  // An outage passes by itself. A wrong setting does not, and must stop a rollout.
  const canModerate = moderation?.kind !== "misconfigured" || moderation.canGenerate;
  return {
    ok: canModerate && Object.values(details).every((state) => state === "ok"),
    isDegraded:
      missingMarks.length > 0 ||
      serversDown.length > 0 ||
      (moderation !== null && moderation.kind !== "ok"),
    details: {
      ...details,
      ...(moderation === null ? {} : { moderation: moderation.advice }),
      ...(serversDown.length === 0 ? {} : { servers: `down: ${serversDown.join(", ")}` }),
      ...(missingMarks.length === 0 ? {} : { marks: adviceOn(missingMarks) }),
    },
  };
}

/**
 * Starts the probes and metrics if a port is configured. They respond while the worker still waits for its
 * dependencies.
 */
async function openAdmin(
  config: WorkerConfig,
  { metrics }: Pick<RenderDependencies, "metrics">,
  checkReady: () => Promise<Health>,
): Promise<WorkerAdmin | null> {
  if (config.WORKER_ADMIN_PORT === undefined) return null;
  return openSetting(
    "WORKER_ADMIN_PORT, WORKER_ADMIN_HOST",
    startAdmin({
      host: config.WORKER_ADMIN_HOST,
      port: config.WORKER_ADMIN_PORT,
      metricsToken: config.METRICS_TOKEN ?? null,
      metrics: () => metrics.scrape(),
      // Answering is enough: restarting the process would not repair an unavailable dependency.
      checkLiveness: () => ({ ok: true, details: {} }),
      checkReadiness: checkReady,
    }),
  );
}
