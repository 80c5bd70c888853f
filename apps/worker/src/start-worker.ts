import type { Provider } from "@atelier/models";
import { serveLane } from "@atelier/queue";
import type { WorkerConfig } from "./config.ts";
import { openDependencies } from "./dependencies.ts";
import type { Failpoint } from "./failpoint.ts";
import { startRecovery } from "./recover-generations.ts";
import { renderImage } from "./render-image.ts";

export interface RunningWorker {
  /** Takes no more renders, finishes those in work, and closes everything. */
  stop(): Promise<void>;
}

/** Opens the dependencies and serves the lanes. */
export async function startWorker(
  config: WorkerConfig,
  providers?: readonly Provider[],
  failpoint?: Failpoint,
): Promise<RunningWorker> {
  const dependencies = await openDependencies(config, providers, failpoint);
  const { logger } = dependencies;
  const lanes = chooseLanes(config.WORKER_LANES, [...dependencies.providers.keys()]);
  const served = await Promise.all(
    lanes.map((lane) =>
      serveLane({
        url: config.QUEUE_URL ?? config.DATABASE_URL,
        lane,
        concurrency: config.WORKER_CONCURRENCY,
        rateLimit: null,
        lockMs: config.WORKER_LOCK_SECONDS * 1_000,
        render: (renderId) => renderImage(renderId, dependencies),
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
  logger.info({ lanes, concurrency: config.WORKER_CONCURRENCY }, "worker ready");

  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    logger.info("worker stopping");
    await recovery.stop();
    await Promise.all(served.map((lane) => lane.drain()));
    await dependencies.close();
    logger.info("worker stopped");
  }
  return {
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
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
