import { opening, type Environment } from "@atelier/configuration";
import { createDatabase, type Database } from "@atelier/database";
import {
  watchLaneHealth,
  watchLaneLoad,
  type LaneHealth,
  type LaneLoad,
} from "@atelier/generations";
import { loadCatalogue, loadProviders, type Catalogue } from "@atelier/models";
import { createQueues, type Queues } from "@atelier/queue";
import { createStorage, type Storage } from "@atelier/storage";
import {
  createApiMetrics,
  createLogger,
  startTracing,
  type ApiMetrics,
  type Logger,
} from "@atelier/telemetry";
import type { ApiConfig } from "./config.ts";
import { noFailpoint, type Failpoint } from "./failpoint.ts";
import { createWaiters, type Waiters } from "./generations/waiters.ts";

/** Everything that answering a request needs. */
export interface ApiDependencies {
  readonly config: ApiConfig;
  readonly database: Database;
  readonly queues: Queues;
  readonly storage: Storage;
  readonly catalogue: Catalogue;
  readonly laneHealth: LaneHealth;
  readonly laneLoad: LaneLoad;
  readonly waiters: Waiters;
  readonly logger: Logger;
  readonly metrics: ApiMetrics;
  /** Whether requests are traced. */
  readonly traced: boolean;
  readonly failpoint: Failpoint;
}

export interface DependencyOptions {
  /** Where keys are that the file of providers names. */
  readonly environment?: Environment;
  readonly failpoint?: Failpoint;
}

const laneIntervalMs = 1_000;

/** The composition root: opens everything that the configuration names. */
export async function openDependencies(
  config: ApiConfig,
  { environment = {}, failpoint = noFailpoint }: DependencyOptions = {},
): Promise<ApiDependencies & { close(): Promise<void> }> {
  const logger = createLogger("api", config.LOG_LEVEL);
  const onError = (error: Error) => logger.warn({ err: error }, "connection error");
  const tracing = await startTracing({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    service: "atelier-api",
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    onProblem: (problem) => logger.warn({ problem }, "tracing problem"),
  });
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: 20,
    applicationName: "atelier-api",
    onConnectionError: onError,
  });
  // Only which providers there are matters here; none of them is called.
  const providers = await opening(
    "PROVIDERS_FILE",
    loadProviders({ file: config.PROVIDERS_FILE, keys: config, environment }),
  );
  const catalogue = await opening(
    "CATALOGUE_FILE",
    loadCatalogue(config.CATALOGUE_FILE, providers),
  );
  const queues = await opening(
    config.QUEUE_URL === undefined ? "DATABASE_URL" : "QUEUE_URL",
    createQueues({
      url: config.QUEUE_URL ?? config.DATABASE_URL,
      lanes: providers.usable.map(({ name }) => name),
      traced: tracing.enabled,
      onError,
    }),
  );
  const storage = await opening(
    "STORAGE_URL",
    createStorage({
      url: config.STORAGE_URL,
      publicUrl: config.PUBLIC_URL,
      signingSecret: config.URL_SIGNING_SECRET,
    }),
  );
  const waiters = await opening(
    "DATABASE_URL",
    createWaiters(database, {
      maxWaiting: config.MAX_WAITING_REQUESTS,
      onError: (error) =>
        logger.warn({ err: error }, "waiting requests could not be looked after, will try again"),
    }),
  );
  const laneHealth = watchLaneHealth(database, {
    intervalMs: laneIntervalMs,
    onError: (error) => logger.warn({ err: error }, "the health of lanes could not be read"),
  });
  const laneLoad = watchLaneLoad(database, {
    intervalMs: laneIntervalMs,
    onError: (error) => logger.warn({ err: error }, "the load of lanes could not be read"),
  });
  return {
    config,
    database,
    queues,
    storage,
    catalogue,
    laneHealth,
    laneLoad,
    waiters,
    logger,
    metrics: createApiMetrics(),
    traced: tracing.enabled,
    failpoint,
    // What was opened last is closed first; the queue before the database that may hold it.
    async close() {
      await laneHealth.close();
      await laneLoad.close();
      await waiters.close();
      await storage.close();
      await queues.close();
      await database.close();
      await tracing.close();
    },
  };
}
