import { createDatabase, type Database } from "@atelier/database";
import { createGuardedFetcher, type GuardedFetcher } from "@atelier/guarded-fetch";
import {
  createBuiltinProvider,
  loadCatalogue,
  type Catalogue,
  type Provider,
} from "@atelier/models";
import { createRuleModerator, type Moderator } from "@atelier/moderation";
import { createMarker, type Marker } from "@atelier/provenance";
import { createQueues, type Queues } from "@atelier/queue";
import { createStorage, type Storage } from "@atelier/storage";
import { createWorkerMetrics, type WorkerMetrics } from "@atelier/telemetry";
import { pino, type Logger } from "pino";
import type { WorkerConfig } from "./config.ts";
import { noFailpoint, type Failpoint } from "./failpoint.ts";

/** Everything that making an image needs. */
export interface RenderDependencies {
  readonly database: Database;
  readonly queues: Queues;
  readonly storage: Storage;
  readonly catalogue: Catalogue;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly moderator: Moderator;
  readonly fetcher: GuardedFetcher;
  readonly marker: Marker;
  readonly logger: Logger;
  readonly metrics: WorkerMetrics;
  readonly limits: {
    readonly maxTries: number;
    readonly providerTimeoutMs: number;
  };
  /** Keys the hashes of judged prompts. */
  readonly pepper: string;
  readonly failpoint: Failpoint;
}

const maxReferenceBytes = 20 * 1024 * 1024;
const maxReferencePixels = 40_000_000;

/** The composition root: opens everything that the configuration names. */
export async function openDependencies(
  config: WorkerConfig,
  providers: readonly Provider[] = [createBuiltinProvider()],
  failpoint: Failpoint = noFailpoint,
): Promise<RenderDependencies & { close(): Promise<void> }> {
  const logger = pino({
    level: config.LOG_LEVEL,
    base: { service: "worker", pid: process.pid },
    // Postgres puts the row that it refuses there: it may hold a prompt.
    redact: { paths: ["err.detail", "err.where"], remove: true },
  });
  const onError = (error: Error) => logger.warn({ err: error }, "connection error");
  const lanes = providers.map(({ name }) => name);

  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: config.WORKER_CONCURRENCY * lanes.length + 2,
    applicationName: "atelier-worker",
    onConnectionError: onError,
  });
  const queues = await createQueues({
    url: config.QUEUE_URL ?? config.DATABASE_URL,
    lanes,
    onError,
  });
  const storage = await createStorage({
    url: config.STORAGE_URL,
    publicUrl: config.PUBLIC_URL,
    signingSecret: config.URL_SIGNING_SECRET,
  });
  const fetcher = createGuardedFetcher({
    maxBytes: maxReferenceBytes,
    maxPixels: maxReferencePixels,
    totalTimeoutMs: 20_000,
  });
  const marker = await createMarker({
    certificateChainPem: config.SIGNING_CERTIFICATE_CHAIN,
    privateKeyPem: config.SIGNING_PRIVATE_KEY,
    trustAnchorsPem: config.SIGNING_TRUST_ANCHORS,
    claimGenerator: { name: "Atelier", version: "0.1.0" },
  });

  return {
    database,
    queues,
    storage,
    catalogue: await loadCatalogue(config.CATALOGUE_FILE),
    providers: new Map(providers.map((provider) => [provider.name, provider])),
    moderator: createRuleModerator(),
    fetcher,
    marker,
    logger,
    metrics: createWorkerMetrics(),
    limits: {
      maxTries: config.MAX_TRIES,
      providerTimeoutMs: config.PROVIDER_TIMEOUT_SECONDS * 1_000,
    },
    pepper: config.KEY_PEPPER,
    failpoint,
    // What was opened last is closed first; the queue before the database that may hold it.
    async close() {
      await fetcher.close();
      await storage.close();
      await queues.close();
      await database.close();
    },
  };
}
