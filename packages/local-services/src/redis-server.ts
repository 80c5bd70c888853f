import { join } from "node:path";

import { Redis } from "ioredis";

import { commandSucceeds, startServerProcess, type ServerProcess } from "./child-process.ts";
import { unpackDebianPackages } from "./debian-packages.ts";
import type { StartServiceOptions, Unavailable } from "./service.ts";

/** A program of Redis or Valkey on this machine, which is also its sentinel (`--sentinel`). */
export interface RedisProgram {
  readonly command: string;
  /** Source of the program, for the log line of a run. */
  readonly description: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** No persistence, and no eviction, which BullMQ requires. */
export const storeSettings = [
  "--save",
  "",
  "--appendonly",
  "no",
  "--maxmemory-policy",
  "noeviction",
];

export async function findInstalledRedis(): Promise<RedisProgram | Unavailable> {
  for (const command of ["redis-server", "valkey-server"]) {
    if (await commandSucceeds(command, ["--version"])) return { command, description: command };
  }
  return { unavailable: "neither redis-server nor valkey-server is installed" };
}

/** Debian's package, unpacked into the cache. */
export async function unpackRedis(
  options: Pick<StartServiceOptions, "cacheDirectory" | "log">,
): Promise<RedisProgram | Unavailable> {
  const packages = await unpackDebianPackages({
    name: "redis",
    packages: ["redis-server"],
    cacheDirectory: options.cacheDirectory,
    log: options.log,
  });
  if ("unavailable" in packages) return packages;
  return {
    command: join(packages.root, "usr/bin/redis-server"),
    description: "redis-server of Debian, unpacked in the cache",
    environment: { LD_LIBRARY_PATH: packages.libraryPath },
  };
}

/** The installed program, else Debian's. */
export async function findRedis(
  options: Pick<StartServiceOptions, "cacheDirectory" | "log">,
): Promise<RedisProgram | Unavailable> {
  const installed = await findInstalledRedis();
  return "unavailable" in installed ? unpackRedis(options) : installed;
}

/** Starts a Redis on a port of the loopback interface and waits until it responds. */
export async function startRedisServer(
  program: RedisProgram,
  options: {
    readonly directory: string;
    readonly port: number;
    /** Its name in messages. Default: redis. */
    readonly name?: string;
    readonly password?: string;
    /** Default: those of a store. */
    readonly args?: readonly string[];
  },
): Promise<ServerProcess & { readonly url: string }> {
  const { directory, port, name = "redis", password, args = storeSettings } = options;
  const url = `redis://${password === undefined ? "" : `:${password}@`}127.0.0.1:${port}`;
  const server = await startServerProcess({
    name,
    command: program.command,
    // A configuration file, if any, is the first argument.
    args: [...args, "--port", String(port), "--bind", "127.0.0.1", "--dir", "."],
    directory,
    ...(program.environment && { environment: program.environment }),
    isReady: () => isReachable(url),
    timeoutMs: 10_000,
  });
  return { ...server, url };
}

/** Whether a Redis responds. */
export async function isReachable(url: string): Promise<boolean> {
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
