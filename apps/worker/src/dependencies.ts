import { availableParallelism } from "node:os";
import { opening, type Environment } from "@atelier/configuration";
import { createDatabase, type Database } from "@atelier/database";
import { watchLaneHealth, type LaneHealth } from "@atelier/generations";
import { createGuardedFetcher, type GuardedFetcher } from "@atelier/guarded-fetch";
import { loadCatalogue, loadProviders, type Catalogue, type Provider } from "@atelier/models";
import { createMarkerPool, type Marker } from "@atelier/provenance";
import { createQueues, type Queues } from "@atelier/queue";
import { createStorage, type Storage } from "@atelier/storage";
import {
  createLogger,
  createWorkerMetrics,
  startTracing,
  type Logger,
  type WorkerMetrics,
} from "@atelier/telemetry";
import { claimGenerator } from "./claim-generator.ts";
import type { WorkerConfig } from "./config.ts";
import { createModeration, type Moderation } from "./create-moderation.ts";
import { noFailpoint, type Failpoint } from "./failpoint.ts";
import { chooseLanes, createLanes, laneOf, type Lanes } from "./lanes.ts";

/** Everything that making an image needs. */
export interface RenderDependencies extends Moderation {
  readonly database: Database;
  readonly queues: Queues;
  readonly storage: Storage;
  readonly catalogue: Catalogue;
  readonly lanes: Lanes;
  /** The names of those whose renders this process takes. */
  readonly servedLanes: readonly string[];
  readonly laneHealth: LaneHealth;
  readonly fetcher: GuardedFetcher;
  readonly marker: Marker;
  readonly logger: Logger;
  readonly metrics: WorkerMetrics;
  /** Whether renders are traced. */
  readonly traced: boolean;
  /** How often a render may be taken up in vain before its generation fails. */
  readonly maxTries: number;
  /** Keys the hashes of judged prompts. */
  readonly pepper: string;
  readonly failpoint: Failpoint;
}

export interface WorkerOptions {
  /** Where keys are that the file of providers names. */
  readonly environment?: Environment;
  /** The adapters of the providers that the file of providers calls `custom`. */
  readonly customProviders?: readonly Provider[];
  readonly failpoint?: Failpoint;
}

const laneHealthIntervalMs = 1_000;

const maxReferenceBytes = 20 * 1024 * 1024;
const maxResultBytes = 100 * 1024 * 1024;
const maxReferencePixels = 40_000_000;
/** More would not make a Postgres faster; renders that need one wait for it. */
const maxConnections = 64;

/** The composition root: opens everything that the configuration names. */
export async function openDependencies(
  config: WorkerConfig,
  { environment = {}, customProviders = [], failpoint = noFailpoint }: WorkerOptions = {},
): Promise<RenderDependencies & { close(): Promise<void> }> {
  const logger = createLogger("worker", config.LOG_LEVEL);
  const onError = (error: Error) => logger.warn({ err: error }, "connection error");
  const fetcher = createGuardedFetcher({
    maxBytes: maxReferenceBytes,
    maxPixels: maxReferencePixels,
    totalTimeoutMs: 20_000,
  });
  const results = createGuardedFetcher({
    maxBytes: maxResultBytes,
    maxPixels: maxReferencePixels,
    totalTimeoutMs: 60_000,
  });
  const providers = await opening(
    "PROVIDERS_FILE",
    loadProviders({ file: config.PROVIDERS_FILE, keys: config, environment }),
  );
  const tools = {
    fetchResult: (url: string, signal: AbortSignal) => results.fetchOriginal(url, signal),
  };
  const lanes = await opening(
    "PROVIDERS_FILE",
    createLanes(providers.usable, customProviders, tools, config),
  );
  const servedLanes = chooseLanes(config.WORKER_LANES, lanes);
  const concurrency = servedLanes.reduce((sum, lane) => sum + laneOf(lanes, lane).concurrency, 0);

  // What can be wrong with the settings alone is found before anything is opened.
  const catalogue = await opening(
    "CATALOGUE_FILE",
    loadCatalogue(config.CATALOGUE_FILE, providers),
  );
  const moderation = createModeration(config, logger);
  const marker = await opening(
    "SIGNING_CERTIFICATE_CHAIN, SIGNING_PRIVATE_KEY, SIGNING_TRUST_ANCHORS",
    createMarkerPool({
      // The concurrency is 0 where no provider is usable.
      threads: Math.max(1, Math.min(config.WORKER_THREADS ?? availableParallelism(), concurrency)),
      certificateChainPem: config.SIGNING_CERTIFICATE_CHAIN,
      privateKeyPem: config.SIGNING_PRIVATE_KEY,
      trustAnchorsPem: config.SIGNING_TRUST_ANCHORS,
      claimGenerator,
      timeStampUrl: config.TIME_STAMP_URL,
      onError: (error) => logger.warn({ err: error }, "marking problem"),
    }),
  );

  const tracing = await startTracing({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    service: "atelier-worker",
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    onProblem: (problem) => logger.warn({ problem }, "tracing problem"),
  });
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: Math.min(concurrency, maxConnections) + 2,
    applicationName: "atelier-worker",
    onConnectionError: onError,
  });
  const queues = await opening(
    config.QUEUE_URL === undefined ? "DATABASE_URL" : "QUEUE_URL",
    createQueues({
      url: config.QUEUE_URL ?? config.DATABASE_URL,
      lanes: [...lanes.keys()],
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
  const laneHealth = watchLaneHealth(database, {
    intervalMs: laneHealthIntervalMs,
    onError: (error) => logger.warn({ err: error }, "the health of lanes could not be read"),
  });

  return {
    database,
    queues,
    storage,
    catalogue,
    lanes,
    servedLanes,
    laneHealth,
    ...moderation,
    fetcher,
    marker,
    logger,
    metrics: createWorkerMetrics({ ...marker, lanes: servedLanes }),
    traced: tracing.enabled,
    maxTries: config.MAX_TRIES,
    pepper: config.KEY_PEPPER,
    failpoint,
    // What was opened last is closed first; the queue before the database that may hold it.
    async close() {
      await laneHealth.close();
      await fetcher.close();
      await results.close();
      await storage.close();
      await queues.close();
      await database.close();
      await tracing.close();
      await marker.close();
    },
  };
}
