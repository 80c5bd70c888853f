import { countPepperUse } from "@atelier/accounts";
import { keyPeppers, openSetting } from "@atelier/configuration";
import { warnOfConnections } from "@atelier/database";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createAdminApp } from "./admin.ts";
import { createApp } from "./app.ts";
import { startBatches } from "./batches/start-batches.ts";
import type { ApiConfig } from "./config.ts";
import type { Needs } from "./dependencies.ts";
import { openDependencies, type DependencyOptions } from "./open-dependencies.ts";
import { createGate } from "./http/limits/gate.ts";
import { limitConnections } from "./http/limits/limit-connections.ts";
import { paceRequests } from "./http/limits/pace-requests.ts";
import { refuseMalformed } from "./http/refuse-malformed.ts";

export interface RunningApi {
  readonly port: number;
  /** Null without an admin key, since the admin port then stays closed. */
  readonly adminPort: number | null;
  /**
   * Fails probes but still takes requests for `DRAIN_DELAY_SECONDS`; then refuses requests with 503,
   * responds to waiting ones with 202, and closes everything.
   */
  stop(): Promise<void>;
}

interface ApiOptions extends DependencyOptions {
  readonly timeouts?: Patience;
}

/** Timeouts for sending a request and reading its response. */
interface Patience {
  readonly headersTimeout: number;
  /** Includes the body. */
  readonly requestTimeout: number;
  /** Interval of timeout checks. Node's default is 30 s, which is longer than both timeouts. */
  readonly connectionsCheckingInterval: number;
  /** Timeout of idle connections. */
  readonly keepAliveTimeout?: number;
  /** Timeout of inactive connections: an unread response stays in memory for this long. */
  readonly timeout: number;
}

/** In milliseconds, with Node's property names. */
function defaultTimeouts(config: ApiConfig): Patience {
  const longestWaitSeconds = Math.max(config.MAX_WAIT_SECONDS, config.FACADE_MAX_WAIT_SECONDS);
  return {
    keepAliveTimeout: config.KEEP_ALIVE_SECONDS * 1_000,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
    // Nothing is sent while a request waits for its image.
    timeout: (longestWaitSeconds + 30) * 1_000,
  };
}

/** Logs an error when keys need a pepper that is not configured. */
async function warnOfMissingPeppers({
  config,
  database,
  logger,
}: Needs<"config" | "database" | "logger">): Promise<void> {
  try {
    const { keys } = await countPepperUse(database, keyPeppers(config));
    if (keys.missing === 0) return;
    logger.error(
      { keys: keys.missing },
      "keys are refused: they were hashed with another KEY_PEPPER. Add that value to OLD_KEY_PEPPERS",
    );
  } catch (error) {
    logger.warn({ err: error }, "keys not checked for their KEY_PEPPER");
  }
}

/** Opens the dependencies and listens. */
export async function startApi(
  config: ApiConfig,
  { timeouts = defaultTimeouts(config), ...options }: ApiOptions = {},
): Promise<RunningApi> {
  const dependencies = await openDependencies(config, options);
  const { logger, waiters, eventStreams } = dependencies;
  const gate = createGate();
  const app = createApp(dependencies, gate);
  // The app itself requires Host, with the usual error response.
  const server = createServer({ ...timeouts, requireHostHeader: false });
  const listener = limitConnections(server, paceRequests(app), config.MAX_CONNECTIONS);
  // Their total size is limited. A limit on their number would drop the rest silently.
  server.maxHeadersCount = 0;
  server.timeout = timeouts.timeout;
  server.on("clientError", refuseMalformed(dependencies));
  server.on("request", listener);
  // Reading the body sends `100 Continue`, and only then.
  server.on("checkContinue", listener);
  // Ignores an unknown expectation, instead of Node's 417.
  server.on("checkExpectation", listener);
  const admin =
    config.ADMIN_KEY === undefined
      ? null
      : createServer(timeouts, createAdminApp(dependencies, config.ADMIN_KEY));
  try {
    await openSetting("PORT, HOST", listen(server, config.PORT, config.HOST));
    if (admin !== null) {
      await openSetting(
        "ADMIN_PORT, ADMIN_HOST",
        listen(admin, config.ADMIN_PORT, config.ADMIN_HOST),
      );
    }
  } catch (error) {
    server.close();
    await dependencies.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const adminPort = (admin?.address() as AddressInfo | undefined)?.port ?? null;
  logger.info({ port, adminPort }, "api ready");
  void warnOfMissingPeppers(dependencies);
  void warnOfConnections(dependencies.database, dependencies.logger);
  const batches = startBatches(dependencies);
  dependencies.whenBatchDue(() => batches.wake());

  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    gate.drain();
    if (config.DRAIN_DELAY_SECONDS > 0) {
      logger.info({ seconds: config.DRAIN_DELAY_SECONDS }, "api draining");
      await delay(config.DRAIN_DELAY_SECONDS * 1_000);
    }
    logger.info("api stopping");
    gate.close();
    await batches.stop();
    const timeoutMs = config.DRAIN_SECONDS * 1_000;
    const servers = admin === null ? [server] : [server, admin];
    const closed = Promise.all(servers.map((one) => close(one, timeoutMs)));
    waiters.release();
    eventStreams.release();
    await closed;
    await dependencies.close();
    logger.info("api stopped");
  }
  return {
    port,
    adminPort,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, "listening");
}

/** Waits for requests in progress up to a timeout; idle connections are closed at once. */
async function close(server: Server, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearTimeout(timer);
}
