import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { opening } from "@atelier/configuration";
import { createAdminApp } from "./admin.ts";
import { createApp } from "./app.ts";
import type { ApiConfig } from "./config.ts";
import { openDependencies, type DependencyOptions } from "./dependencies.ts";
import { createGate } from "./http/gate.ts";
import { refuseMalformed } from "./http/refuse-malformed.ts";

export interface RunningApi {
  readonly port: number;
  /** Null when there is no admin key, and so no admin port. */
  readonly adminPort: number | null;
  /**
   * Refuses probes while it still takes requests, for `DRAIN_DELAY_SECONDS`; then refuses requests
   * with 503, answers those that wait with 202, and closes everything.
   */
  stop(): Promise<void>;
}

export interface ApiOptions extends DependencyOptions {
  readonly patience?: Patience;
}

/** How long a client may take to send what it has to say, and to take its answer. */
interface Patience {
  readonly headersTimeout: number;
  /** With the body. */
  readonly requestTimeout: number;
  /** How often connections are looked at. Node's own is half a minute: longer than both. */
  readonly connectionsCheckingInterval: number;
  /** The longest silence of a connection: an answer that nobody takes stays in memory for so long. */
  readonly timeout: number;
}

/** In ms, under the names that Node has for them. */
function usualPatience({ MAX_WAIT_SECONDS }: ApiConfig): Patience {
  return {
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
    // Nothing is said while a request waits for its image.
    timeout: (MAX_WAIT_SECONDS + 30) * 1_000,
  };
}

/** Opens the dependencies and listens. */
export async function startApi(
  config: ApiConfig,
  { patience = usualPatience(config), ...options }: ApiOptions = {},
): Promise<RunningApi> {
  const dependencies = await openDependencies(config, options);
  const { logger, waiters } = dependencies;
  const gate = createGate();
  const app = createApp(dependencies, gate);
  // The app requires it, with an answer like all others.
  const server = createServer({ ...patience, requireHostHeader: false }, app);
  // Their size is limited anyway. A limit of their number would drop the rest unseen.
  server.maxHeadersCount = 0;
  server.timeout = patience.timeout;
  server.on("clientError", refuseMalformed(dependencies));
  // An expectation that is not known is ignored, instead of Node's 417.
  server.on("checkExpectation", app);
  const admin =
    config.ADMIN_KEY === undefined
      ? null
      : createServer(patience, createAdminApp(dependencies, config.ADMIN_KEY));
  try {
    await opening("PORT, HOST", listen(server, config.PORT, config.HOST));
    if (admin !== null) {
      await opening("ADMIN_PORT, ADMIN_HOST", listen(admin, config.ADMIN_PORT, config.ADMIN_HOST));
    }
  } catch (error) {
    server.close();
    await dependencies.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const adminPort = (admin?.address() as AddressInfo | undefined)?.port ?? null;
  logger.info({ port, adminPort }, "api ready");

  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    gate.drain();
    if (config.DRAIN_DELAY_SECONDS > 0) {
      logger.info({ seconds: config.DRAIN_DELAY_SECONDS }, "api draining");
      await delay(config.DRAIN_DELAY_SECONDS * 1_000);
    }
    logger.info("api stopping");
    gate.close();
    const timeoutMs = config.DRAIN_SECONDS * 1_000;
    const servers = admin === null ? [server] : [server, admin];
    const closed = Promise.all(servers.map((one) => close(one, timeoutMs)));
    waiters.release();
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

/** Lets requests under way end, for a while; connections that only linger are cut at once. */
async function close(server: Server, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearTimeout(timer);
}
