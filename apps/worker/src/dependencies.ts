import { availableParallelism } from "node:os";
import {
  isRedisUrl,
  keyPeppers,
  watermarkSecrets,
  openSetting,
  queueUrlOf,
  verifyUrl,
  type Environment,
} from "@atelier/configuration";
import { currentNames, maxPhotographPixels, softBindingNames } from "@atelier/schemas";
import { createDatabase, type Database } from "@atelier/database";
import type { Peppers } from "@atelier/kit";
import { watchLaneHealth, type LaneHealth } from "@atelier/generations/claims";
import { createFinisher, type Finisher } from "@atelier/generations/endings";
import {
  createGuardedFetcher,
  createGuardedPoster,
  type GuardedFetcher,
  type GuardedFetcherOptions,
  type GuardedPoster,
  type TestingOptions,
} from "@atelier/guarded-fetch";
import { loadCatalogue, loadProviders, type Catalogue, type Provider } from "@atelier/models";
import { moderationCategories, type ModerationVerdict } from "@atelier/moderation";
import { openWithRetry } from "@atelier/process";
import { createMarkerPool, type Marker } from "@atelier/provenance";
import { createQueues, type Queues } from "@atelier/queue";
import { createStorage, type PacedStorage } from "@atelier/storage";
import { createSvgDrawer } from "@atelier/svg";
import {
  createLogger,
  createWorkerMetrics,
  startTracing,
  type Logger,
  type WorkerMetrics,
} from "@atelier/telemetry";
import { claimGenerator } from "./render/claim-generator.ts";
import type { WorkerConfig } from "./config.ts";
import { adviceOn, findMissingMarks } from "./missing-marks.ts";
import { createModeration, type Moderation } from "./create-moderation.ts";
import { startAttendance, type Attendance } from "./recovery/attendance.ts";
import { createLiveFirst, type LiveFirst } from "./render/live-first.ts";
import { createOthersFirst, type OthersFirst } from "./render/others-first.ts";
import { createMeter, type Meter } from "./render/meter.ts";
import { createLossyNote, type NoteLossyAnswer } from "./render/note-lossy-answer.ts";
import { createSharedWork, type SharedWork } from "./render/share-work.ts";
import { noFailpoint, type Failpoint } from "./render/failpoint.ts";
import { createBacklog, type ReadBacklog } from "./servers/backlog.ts";
import { createWaitingCalls, type WaitingCalls } from "./servers/waiting-calls.ts";
import { listServers, listServersDown } from "./servers/list-servers.ts";
import { chooseLanes, createLanes, laneOf, type Lanes } from "./lanes/lanes.ts";

/** Everything that rendering an image needs. */
export interface RenderDependencies extends Moderation {
  readonly database: Database;
  readonly finisher: Finisher;
  readonly attendance: Attendance;
  readonly liveFirst: LiveFirst;
  readonly othersFirst: OthersFirst;
  /** Verdicts on all texts of a generation, shared by its renders in this process. */
  readonly sharedModeration: SharedWork<ModerationVerdict>;
  readonly queues: Queues;
  readonly storage: PacedStorage;
  readonly catalogue: Catalogue;
  readonly lanes: Lanes;
  /** Exchange rate for the costs of vendors, in micro-EUR; null if unknown. */
  readonly microEurPerUsd: bigint | null;
  /** Names of the lanes whose renders this process claims. */
  readonly servedLanes: readonly string[];
  readonly laneHealth: LaneHealth;
  /** Calls that wait for a server of a pool. */
  readonly waitingCalls: WaitingCalls;
  readonly backlog: ReadBacklog;
  readonly fetcher: GuardedFetcher;
  /** Sends events to webhooks. */
  readonly poster: GuardedPoster;
  readonly marker: Marker;
  /** Settings that images of trained models lack. */
  readonly missingMarks: readonly string[];
  readonly logger: Logger;
  readonly noteLossyAnswer: NoteLossyAnswer;
  readonly metrics: WorkerMetrics;
  readonly meter: Meter;
  /** Whether renders record trace spans. */
  readonly traced: boolean;
  /** Failed attempts after which a generation fails. */
  readonly maxTries: number;
  /** Keys of the hashes of judged prompts and of the secrets of webhooks, the current one first. */
  readonly peppers: Peppers;
  readonly failpoint: Failpoint;
}

export interface WorkerOptions {
  /** Source of the API keys that the providers file refers to. */
  readonly environment?: Environment;
  /** Adapters of the providers of type `custom` in the providers file. */
  readonly customProviders?: readonly Provider[];
  /** Replaces the network of requests to URLs of clients, for tests. */
  readonly network?: TestingOptions;
  /** Overrides of the limits for reference images, for tests. */
  readonly references?: Partial<GuardedFetcherOptions>;
  readonly failpoint?: Failpoint;
  /** File of the log; stdout by default. */
  readonly logFile?: string;
  /** Starts the threads that mark images; tests share them. */
  readonly startMarker?: typeof createMarkerPool;
}

const laneHealthIntervalMs = 1_000;

const maxReferenceBytes = 20 * 1024 * 1024;
const maxResultBytes = 100 * 1024 * 1024;
const maxReferencePixels = 40_000_000;
/** More connections do not make Postgres faster; renders wait for a free one. */
const maxConnections = 64;

/**
 * The composition root: opens everything that the configuration refers to. Waits for the queue and the
 * storage while they are unavailable.
 *
 * @param onPrepared called after the settings are validated and before waiting for anything.
 */
export async function openDependencies(
  config: WorkerConfig,
  {
    environment = {},
    customProviders = [],
    network = {},
    references = {},
    failpoint = noFailpoint,
    logFile,
    startMarker = createMarkerPool,
  }: WorkerOptions = {},
  onPrepared: (prepared: Pick<RenderDependencies, "metrics" | "logger">) => Promise<void> = () =>
    Promise.resolve(),
): Promise<RenderDependencies & { close(): Promise<void> }> {
  const logger = createLogger("worker", config.LOG_LEVEL, logFile);
  const onError = (error: Error) => logger.warn({ err: error }, "connection error");
  const fetcher = createGuardedFetcher({
    maxBytes: maxReferenceBytes,
    maxPixels: maxReferencePixels,
    maxJpegPixels: maxPhotographPixels,
    totalTimeoutMs: 20_000,
    testing: network,
    ...references,
  });
  const results = createGuardedFetcher({
    maxBytes: maxResultBytes,
    maxPixels: maxReferencePixels,
    totalTimeoutMs: 60_000,
  });
  const providers = await openSetting(
    "PROVIDERS_FILE",
    loadProviders({ file: config.PROVIDERS_FILE, keys: config, environment }),
  );
  const svgDrawer = createSvgDrawer();
  const tools = {
    svgDrawer,
    fetchResult: (url: string, signal: AbortSignal) => results.fetchOriginal(url, signal),
  };
  const lanes = await openSetting(
    "PROVIDERS_FILE",
    createLanes(providers.usable, customProviders, tools, config, (err) =>
      logger.warn({ err }, "the host name of a server could not be resolved"),
    ),
  );
  const servedLanes = chooseLanes(config.WORKER_LANES, lanes);
  const concurrency = servedLanes.reduce((sum, lane) => sum + laneOf(lanes, lane).concurrency, 0);

  // Validate the settings before opening any connection.
  const catalogue = await openSetting(
    "CATALOGUE_FILE",
    loadCatalogue(config.CATALOGUE_FILE, providers),
  );
  const missingMarks = findMissingMarks(catalogue.entries, servedLanes, config);
  if (missingMarks.length > 0) {
    logger.warn({ missing: missingMarks }, `INCOMPLETE MARKS: ${adviceOn(missingMarks)}`);
  }
  const moderation = createModeration(config, logger);
  // The concurrency is 0 when no provider is usable.
  const threads = Math.max(
    1,
    Math.min(config.WORKER_THREADS ?? availableParallelism(), concurrency),
  );
  const marker = await openSetting(
    "SIGNING_CERTIFICATE_CHAIN, SIGNING_PRIVATE_KEY, SIGNING_TRUST_ANCHORS",
    startMarker({
      threads,
      certificateChainPem: config.SIGNING_CERTIFICATE_CHAIN,
      privateKeyPem: config.SIGNING_PRIVATE_KEY,
      trustAnchorsPem: config.SIGNING_TRUST_ANCHORS,
      claimGenerator,
      timeStampUrls: config.TIME_STAMP_URL,
      watermarkSecrets: watermarkSecrets(config),
      algorithms: currentNames(softBindingNames(config.SOFT_BINDING_ALGORITHM)),
      verifyUrl: verifyUrl(config),
      onError: (error) => logger.warn({ err: error }, "marking problem"),
    }),
  );

  const metrics = createWorkerMetrics({
    ...marker,
    lanes: servedLanes,
    refusalCategories: moderationCategories,
  });
  moderation.remoteModeration?.start(metrics);
  await onPrepared({ metrics, logger });

  const tracing = await startTracing({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    service: "atelier-worker",
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    onProblem: (problem) => logger.warn({ problem }, "tracing problem"),
  });
  const database = createDatabase({
    url: config.DATABASE_URL,
    directUrl: config.DATABASE_DIRECT_URL,
    poolSize: Math.min(concurrency, maxConnections) + 2,
    queueConnections: isRedisUrl(queueUrlOf(config)) ? 0 : 8 * lanes.size,
    applicationName: "atelier-worker",
    onConnectionError: onError,
  });
  const logRetry = (part: string) => (err: unknown, retryInMs: number) =>
    logger.warn({ err, part, retryInMs }, "not available yet, will retry");
  const openQueues = () =>
    createQueues({
      url: queueUrlOf(config),
      lanes: [...lanes.keys()],
      traced: tracing.enabled,
      onError,
    });
  const queues = await openSetting(
    config.QUEUE_URL === undefined ? "DATABASE_URL" : "QUEUE_URL",
    openWithRetry(openQueues, logRetry("queue")),
  );
  const openStorage = () =>
    createStorage({
      url: config.STORAGE_URL,
      publicUrl: config.PUBLIC_URL,
      signingSecret: config.URL_SIGNING_SECRET,
      onEnd: (...operation) => metrics.storageUsed(...operation),
    });
  const storage = await openSetting("STORAGE_URL", openWithRetry(openStorage, logRetry("storage")));
  metrics.watchStorage(() => storage.state());
  const laneHealth = watchLaneHealth(database, {
    intervalMs: laneHealthIntervalMs,
    onError: (error) => logger.warn({ err: error }, "the health of lanes could not be read"),
  });
  metrics.watchServers(() => ({
    servers: listServers({ lanes, servedLanes }),
    down: listServersDown({ lanes, servedLanes, laneHealth }),
  }));
  const waitingCalls = createWaitingCalls(database, {
    isDown: (url) => laneHealth.stateOf(url).kind === "open",
    onError: (error) => logger.warn({ err: error }, "the turns of calls could not be read"),
  });

  const attendance = startAttendance(database, {
    intervalMs: (config.RECOVERY_AFTER_SECONDS * 1_000) / 3,
    onError: (error) => logger.warn({ err: error }, "renders in progress could not be attended"),
  });

  return {
    database,
    finisher: createFinisher(database),
    attendance,
    liveFirst: createLiveFirst(),
    othersFirst: createOthersFirst(threads),
    queues,
    storage,
    catalogue,
    microEurPerUsd: config.EUR_PER_USD ?? null,
    lanes,
    servedLanes,
    laneHealth,
    waitingCalls,
    backlog: createBacklog(database),
    ...moderation,
    sharedModeration: createSharedWork(),
    fetcher,
    poster: createGuardedPoster({
      totalTimeoutMs: 10_000,
      maxResponseBytes: 65_536,
      privateHosts: config.WEBHOOK_PRIVATE_HOSTS,
      testing: network,
    }),
    marker,
    missingMarks,
    logger,
    noteLossyAnswer: createLossyNote(logger),
    metrics,
    meter: createMeter(),
    traced: tracing.enabled,
    maxTries: config.MAX_TRIES,
    peppers: keyPeppers(config),
    failpoint,
    // Close in reverse order: the queue before the database that may contain it.
    async close() {
      moderation.remoteModeration?.close();
      await attendance.stop();
      await waitingCalls.close();
      await laneHealth.close();
      await fetcher.close();
      await results.close();
      svgDrawer.close();
      await storage.close();
      await queues.close();
      await database.close();
      await tracing.close();
      await marker.close();
    },
  };
}
