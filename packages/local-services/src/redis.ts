import { join } from "node:path";

import { Redis } from "ioredis";

import { commandSucceeds, startServerProcess } from "./child-process.ts";
import { startContainer } from "./container.ts";
import { unpackDebianPackages } from "./debian-packages.ts";
import { freePorts } from "./free-ports.ts";
import {
  firstAvailable,
  type RunningService,
  type StartServiceOptions,
  type Unavailable,
} from "./service.ts";

/** No persistence, and no eviction, which BullMQ requires. */
const settings = ["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"];

/**
 * A Redis or Valkey for tests: the external one, else `redis-server` or `valkey-server` of this
 * machine, else a container, else Debian's package unpacked into the cache.
 *
 * @throws Error when the external one does not respond.
 */
export async function startRedis(
  options: StartServiceOptions,
): Promise<RunningService | Unavailable> {
  const { externalUrl } = options;
  if (externalUrl !== undefined) {
    if (!(await isReachable(externalUrl))) {
      throw new Error("the Redis that is configured for tests does not respond");
    }
    return { url: externalUrl, description: "external", stop: async () => {} };
  }
  return firstAvailable([
    () => startInstalled(options.directory),
    () =>
      startContainer({
        image: "valkey/valkey:8.1.9-alpine",
        command: ["valkey-server", ...settings],
        port: 6379,
        log: options.log,
        url: (host, port) => `redis://${host}:${port}`,
      }),
    () => startFromDebian(options),
  ]);
}

async function startInstalled(directory: string): Promise<RunningService | Unavailable> {
  for (const command of ["redis-server", "valkey-server"]) {
    if (await commandSucceeds(command, ["--version"])) {
      return startServer({ command, directory, description: command });
    }
  }
  return { unavailable: "neither redis-server nor valkey-server is installed" };
}

async function startFromDebian(
  options: StartServiceOptions,
): Promise<RunningService | Unavailable> {
  const packages = await unpackDebianPackages({
    name: "redis",
    packages: ["redis-server"],
    cacheDirectory: options.cacheDirectory,
    log: options.log,
  });
  if ("unavailable" in packages) return packages;
  return startServer({
    command: join(packages.root, "usr/bin/redis-server"),
    directory: options.directory,
    description: "redis-server of Debian, unpacked in the cache",
    environment: { LD_LIBRARY_PATH: packages.libraryPath },
  });
}

async function startServer(options: {
  readonly command: string;
  readonly directory: string;
  readonly description: string;
  readonly environment?: Readonly<Record<string, string>>;
}): Promise<RunningService> {
  const [port] = await freePorts(1);
  const url = `redis://127.0.0.1:${port}`;
  const { stop } = await startServerProcess({
    name: "redis",
    command: options.command,
    args: ["--port", String(port), "--bind", "127.0.0.1", "--dir", ".", ...settings],
    directory: options.directory,
    ...(options.environment && { environment: options.environment }),
    isReady: () => isReachable(url),
    timeoutMs: 10_000,
  });
  return { url, description: options.description, stop };
}

async function isReachable(url: string): Promise<boolean> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // `connect` below reports a failed connection; without a listener, ioredis prints it as well.
  redis.on("error", () => {});
  try {
    await redis.connect();
    return (await redis.ping()) === "PONG";
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}
