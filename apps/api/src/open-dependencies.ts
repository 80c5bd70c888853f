import { callerChannel, rightsChannel } from "@atelier/accounts";
import {
  isRedisUrl,
  keyPeppers,
  openSetting,
  ownCertificates,
  queueUrlOf,
  watermarkSecrets,
  type Environment,
} from "@atelier/configuration";
import { createDatabase } from "@atelier/database";
import { createAcceptor } from "@atelier/generations/accept";
import { batchChannel } from "@atelier/generations/batches";
import {
  progressChannel,
  readProgress,
  laneHealthChannel,
  watchLaneHealth,
  watchLaneLoad,
} from "@atelier/generations/claims";
import { finalChannel } from "@atelier/generations/endings";
import { loadCatalogue, loadProviders } from "@atelier/models";
import { moderationCategories } from "@atelier/moderation";
import {
  createDevelopmentCertificates,
  createInspector,
  readOwnSigners,
} from "@atelier/provenance";
import { createQueues } from "@atelier/queue";
import { createStorage } from "@atelier/storage";
import { createApiMetrics, createLogger, startTracing } from "@atelier/telemetry";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { allowAnyOrigin } from "./allow-any-origin.ts";
import { createAssistant } from "./assist/assistant.ts";
import type { ApiConfig } from "./config.ts";
import type { ApiDependencies } from "./dependencies.ts";
import { createEventStreams } from "./events/event-streams.ts";
import { createProgress } from "./events/progress.ts";
import { noFailpoint, type Failpoint } from "./failpoint.ts";
import { signWith } from "./generations/answer/sign.ts";
import { createWaitEstimates } from "./generations/answer/wait-estimates.ts";
import { createWaiters } from "./generations/answer/waiters.ts";
import { operations } from "./generations/plan/operations.ts";
import { createAccountGate, createAccountMutex } from "./http/limits/account-gate.ts";
import { createAdmissions } from "./http/limits/admission.ts";
import { createFailedAuthentications } from "./http/limits/failed-authentications.ts";
import { operatorClient } from "./console/session.ts";
import { createLateQueues } from "./late-queues.ts";
import { createRulePool, type RulePool } from "./moderation/rule-pool.ts";
import { createModelAliases } from "./openai/model-aliases.ts";
import { checkAtStart, watchParts } from "./parts.ts";
import { abuseContact } from "./shares/abuse-contact.ts";

export interface DependencyOptions {
  /** Source of the API keys that the providers file refers to. */
  readonly environment?: Environment;
  readonly failpoint?: Failpoint;
  /** Folder of the built pages of Studio; the one of its build by default. */
  readonly studioPages?: string;
  /** File of the log; stdout by default. */
  readonly logFile?: string;
  /** Starts the thread of the rules; tests share one. */
  readonly startRules?: (...args: Parameters<typeof createRulePool>) => Promise<RulePool>;
}

const builtPages = fileURLToPath(new URL("../../studio/dist", import.meta.url));

const laneIntervalMs = 1_000;
/** Shorter than the idle timeouts of common proxies. */
const heartbeatMs = 15_000;
const studioHeartbeatMs = 4_000;

/** Limits of one image that is verified; its process has more than half of an API's memory limit. */
const inspectionLimits = {
  maxPixels: 40_000_000,
  limits: { cpuMs: 15_000, maxResidentBytes: 600_000_000 },
};

/** Requests of one account that may wait while another one reads large amounts of data. */
const maxWaitingReads = 8;

/** Statements of one account that lock its row: a part of the pool, and a second or two of accepting. */
const accountStatements = { maxRunning: 6, maxWaiting: 300, maxWaitMs: 10_000 };

/**
 * Reads the trust anchors again for each image, so that the root of a new signing certificate is trusted
 * without a restart. Returns the last ones when the file cannot be read.
 */
function createAnchorReader(
  file: string,
  onError: (error: Error) => void,
): () => Promise<string | undefined> {
  let last: string | undefined;
  return async () => {
    try {
      const content = await readFile(file, "utf8");
      // A file that is being replaced may be cut short.
      if (/-----END CERTIFICATE-----\s*$/.test(content)) last = content;
    } catch (error) {
      onError(error as Error);
    }
    return last;
  };
}

/**
 * The composition root: opens everything that the configuration refers to. The queue and the storage
 * may be unavailable: they are opened later, by the checks of `parts`.
 */
export async function openDependencies(
  config: ApiConfig,
  {
    environment = {},
    failpoint = noFailpoint,
    studioPages = builtPages,
    logFile,
    startRules = async (handleError) => createRulePool(handleError),
  }: DependencyOptions = {},
): Promise<ApiDependencies & { close(): Promise<void> }> {
  if (config.SHARES === "on") abuseContact(config);
  operatorClient(config);
  const logger = createLogger("api", config.LOG_LEVEL, logFile);
  const onError = (error: Error) => logger.warn({ err: error }, "connection error");
  const tracing = await startTracing({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    service: "atelier-api",
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    onProblem: (problem) => logger.warn({ problem }, "tracing problem"),
  });
  // The API only needs the list of providers; it calls none of them.
  const providers = await openSetting(
    "PROVIDERS_FILE",
    loadProviders({ file: config.PROVIDERS_FILE, keys: config, environment }),
  );
  const catalogue = await openSetting(
    "CATALOGUE_FILE",
    loadCatalogue(config.CATALOGUE_FILE, providers),
  );
  const modelAliases = await openSetting(
    "OPENAI_MODEL_ALIASES",
    Promise.resolve().then(() => createModelAliases(config.OPENAI_MODEL_ALIASES, catalogue)),
  );
  const lanes = providers.usable.map(({ name }) => name);
  const database = createDatabase({
    url: config.DATABASE_URL,
    directUrl: config.DATABASE_DIRECT_URL,
    poolSize: 20,
    queueConnections: isRedisUrl(queueUrlOf(config)) ? 0 : 3 * lanes.length,
    applicationName: "atelier-api",
    onConnectionError: onError,
  });
  const queues = createLateQueues(() =>
    createQueues({
      url: queueUrlOf(config),
      lanes,
      traced: tracing.enabled,
      onError,
    }),
  );
  const storage = await openSetting(
    "STORAGE_URL",
    createStorage({
      url: config.STORAGE_URL,
      publicUrl: config.PUBLIC_URL,
      signingSecret: config.URL_SIGNING_SECRET,
      isLazy: true,
    }),
  );
  await openSetting("DATABASE_URL", database.check());
  const [queueFault, storageFault] = await Promise.all([
    openSetting(
      config.QUEUE_URL === undefined ? "DATABASE_URL" : "QUEUE_URL",
      checkAtStart(() => queues.check()),
    ),
    openSetting(
      "STORAGE_URL",
      checkAtStart(() => storage.check()),
    ),
  ]);
  const metrics = createApiMetrics({ refusalCategories: moderationCategories });
  const assistant = createAssistant(config, { metrics, logger });
  const eventStreams = createEventStreams(database, {
    maxStreams: config.MAX_EVENT_STREAMS,
    maxStreamsPerAccount: config.MAX_ACCOUNT_EVENT_STREAMS,
    heartbeatMs,
    studioHeartbeatMs,
    sign: signWith({ config, storage }),
    onCount: (count) => metrics.eventStreamsOpen(count),
    onError: (error) => logger.warn({ err: error }, "new events could not be read, will try again"),
  });
  const waiters = createWaiters(database, {
    maxWaiting: config.MAX_WAITING_REQUESTS,
    onError: (error) =>
      logger.warn({ err: error }, "waiting requests could not be checked, will retry"),
  });
  const progress = createProgress();
  const laneHealth = watchLaneHealth(database, {
    intervalMs: laneIntervalMs,
    onError: (error) => logger.warn({ err: error }, "the health of lanes could not be read"),
  });
  const laneLoad = watchLaneLoad(database, {
    intervalMs: laneIntervalMs,
    onError: (error) => logger.warn({ err: error }, "the load of lanes could not be read"),
  });
  const admissions = createAdmissions(keyPeppers(config), database, (error) =>
    logger.warn({ err: error }, "requests that were leased from limits were not returned"),
  );
  let wakeBatches: () => void = () => undefined;
  const listener = await openSetting(
    "DATABASE_URL",
    database.listen(
      {
        [progressChannel](payload) {
          const announced = readProgress(payload);
          if (announced !== null && progress.record(announced))
            eventStreams.sendProgress(announced);
        },
        [finalChannel](generationId) {
          progress.forget(generationId);
          waiters.wake(generationId);
          eventStreams.wake();
        },
        [rightsChannel]: (accountId) => eventStreams.checkRights(accountId),
        [laneHealthChannel]: () => laneHealth.refresh(),
        [batchChannel]: () => wakeBatches(),
        [callerChannel]: (accountId) => admissions.forget(accountId),
      },
      {
        onConnected() {
          laneHealth.refresh();
          wakeBatches();
          admissions.resume();
        },
        onDisconnected: () => admissions.pause(),
      },
    ),
  );
  // The other root is new and has signed nothing: no signer is trusted.
  const trustAnchorsPem =
    config.SIGNING_TRUST_ANCHORS ?? (await createDevelopmentCertificates()).rootPem;
  const ownSigners = await openSetting(
    "SIGNING_CERTIFICATE_CHAIN, OLD_SIGNING_CERTIFICATES, SIGNING_TRUST_ANCHORS",
    Promise.resolve().then(() => readOwnSigners(ownCertificates(config), trustAnchorsPem)),
  );
  const anchorsFile = environment["SIGNING_TRUST_ANCHORS_FILE"];
  const inspector = createInspector({
    ...inspectionLimits,
    readTrustAnchors: anchorsFile ? createAnchorReader(anchorsFile, onError) : undefined,
    trustAnchorsPem,
    ownSigners,
    watermarkSecrets: watermarkSecrets(config),
  });
  const rules = await startRules(onError);
  const allowPages = () => allowAnyOrigin(storage, logger);
  if (storageFault === null) void allowPages();
  const parts = watchParts(
    { queues, storage },
    {
      first: { queue: queueFault, storage: storageFault },
      onChange(part, error) {
        metrics.partChecked(part, error === null);
        if (error !== null) return logger.warn({ err: error, part }, "part unavailable");
        logger.info({ part }, "part answers again");
        if (part === "storage") void allowPages();
      },
    },
  );
  return {
    config,
    database,
    admissions,
    failedAuthentications: createFailedAuthentications(config),
    acceptor: createAcceptor(database, accountStatements),
    accountGate: createAccountGate(accountStatements),
    accountMutex: createAccountMutex(maxWaitingReads),
    exportMutex: createAccountMutex(0),
    queues,
    storage,
    catalogue,
    operations,
    modelAliases,
    lanes,
    laneHealth,
    laneLoad,
    whenBatchDue(wake) {
      wakeBatches = wake;
    },
    waits: createWaitEstimates({ database, laneHealth, laneLoad }),
    waiters,
    progress,
    eventStreams,
    inspector,
    rules,
    assistant,
    parts,
    studioPages,
    logger,
    metrics,
    traced: tracing.enabled,
    failpoint,
    // Close in reverse order: the queue before the database that may contain it.
    async close() {
      await parts.close();
      assistant?.close();
      await rules.close();
      await inspector.close();
      await listener.close();
      await admissions.close();
      await laneHealth.close();
      await laneLoad.close();
      waiters.close();
      await eventStreams.close();
      await storage.close();
      await queues.close();
      await database.close();
      await tracing.close();
    },
  };
}
