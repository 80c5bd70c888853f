import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { ServerProcess } from "../child-process.ts";
import { freePorts } from "../free-ports.ts";
import { askRedis, untilRedisReplies } from "../ask-redis.ts";
import { findRedis, startRedisServer, storeSettings } from "../redis-server.ts";
import type { RunningService, StartServiceOptions, Unavailable } from "../service.ts";

/** Three machines with a Redis and a sentinel each. */
export interface RedisWithSentinels extends RunningService {
  /** Kills the machine of the primary (`kill -9`): its Redis and its sentinel. */
  killPrimary(): Promise<void>;
}

interface Machine {
  readonly redisPort: number;
  readonly sentinelPort: number;
  readonly processes: ServerProcess[];
}

const primaryName = "atelier";
const password = "redis-of-a-test";
const credentials = ["--requirepass", password, "--masterauth", password];
const sentinelPassword = "sentinel-of-a-test";

/** Time until sentinels take a silent primary for lost, in milliseconds. */
const downAfterMs = 1_000;

/** Starts a primary with two replicas and three sentinels that know each other; all need a password. */
export async function startRedisWithSentinels(
  options: Omit<StartServiceOptions, "externalUrl">,
): Promise<RedisWithSentinels | Unavailable> {
  const program = await findRedis(options);
  if ("unavailable" in program) return program;
  const ports = await freePorts(6);
  const machines = [0, 2, 4].map((first): Machine => {
    const [redisPort = 0, sentinelPort = 0] = ports.slice(first);
    return { redisPort, sentinelPort, processes: [] };
  });
  const primaryPort = machines[0]?.redisPort ?? 0;

  const stop = async () => {
    const processes = machines.flatMap((machine) => machine.processes);
    await Promise.all(processes.map((process) => process.stop()));
  };
  const start = async (machine: Machine, port: number, login: string, args: readonly string[]) => {
    const name = `redis-${port}`;
    const directory = join(options.directory, name);
    const server = { directory, port, name, password: login, args };
    machine.processes.push(await startRedisServer(program, server));
  };
  try {
    await mkdir(options.directory, { recursive: true });
    await Promise.all(
      machines.map((machine) =>
        start(machine, machine.redisPort, password, [
          ...storeSettings,
          ...credentials,
          ...(machine.redisPort === primaryPort
            ? []
            : ["--replicaof", "127.0.0.1", `${primaryPort}`]),
        ]),
      ),
    );
    // Sentinels look for replicas when they start, and then every ten seconds.
    const primary = `redis://:${password}@127.0.0.1:${primaryPort}`;
    await untilRedisReplies(primary, ["INFO", "replication"], /connected_slaves:2/);
    await Promise.all(
      machines.map(async (machine) => {
        const file = join(options.directory, `sentinel-${machine.sentinelPort}.conf`);
        await writeFile(file, sentinelSettings(primaryPort));
        await start(machine, machine.sentinelPort, sentinelPassword, [file, "--sentinel"]);
      }),
    );
    await Promise.all(
      machines.map(async ({ sentinelPort }) => {
        const url = sentinelUrl(sentinelPort);
        await untilRedisReplies(url, ["INFO", "sentinel"], /status=ok.*slaves=2,sentinels=3/);
      }),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  const sentinels = machines.map(({ sentinelPort }) => `127.0.0.1:${sentinelPort}`).join(",");
  return {
    url: `redis+sentinel://:${password}@${sentinels}/${primaryName}?sentinel_password=${sentinelPassword}`,
    description: program.description,
    stop,
    async killPrimary() {
      const command = ["SENTINEL", "GET-MASTER-ADDR-BY-NAME", primaryName] as const;
      const address = await askRedis(sentinelUrl(machines[0]?.sentinelPort ?? 0), command);
      const current = machines.find(({ redisPort }) => address === `127.0.0.1,${redisPort}`);
      if (current === undefined) throw new Error(`unknown primary ${address}`);
      await Promise.all(current.processes.map((process) => process.kill()));
    },
  };
}

function sentinelSettings(primaryPort: number): string {
  return `requirepass ${sentinelPassword}
sentinel sentinel-pass ${sentinelPassword}
sentinel monitor ${primaryName} 127.0.0.1 ${primaryPort} 2
sentinel auth-pass ${primaryName} ${password}
sentinel down-after-milliseconds ${primaryName} ${downAfterMs}
sentinel failover-timeout ${primaryName} 5000
`;
}

function sentinelUrl(port: number): string {
  return `redis://:${sentinelPassword}@127.0.0.1:${port}`;
}
