import { startContainer } from "./container.ts";
import { freePorts } from "./free-ports.ts";
import {
  findInstalledRedis,
  isReachable,
  startRedisServer,
  storeSettings,
  unpackRedis,
  type RedisProgram,
} from "./redis-server.ts";
import {
  firstAvailable,
  type RunningService,
  type StartServiceOptions,
  type Unavailable,
} from "./service.ts";

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
    async () => startFound(await findInstalledRedis(), options),
    () =>
      startContainer({
        image: "valkey/valkey:8.1.9-alpine",
        command: ["valkey-server", ...storeSettings],
        port: 6379,
        log: options.log,
        url: (host, port) => `redis://${host}:${port}`,
      }),
    async () => startFound(await unpackRedis(options), options),
  ]);
}

async function startFound(
  program: RedisProgram | Unavailable,
  { directory }: StartServiceOptions,
): Promise<RunningService | Unavailable> {
  if ("unavailable" in program) return program;
  const [port = 0] = await freePorts(1);
  const { url, stop } = await startRedisServer(program, { directory, port });
  return { url, description: program.description, stop };
}
