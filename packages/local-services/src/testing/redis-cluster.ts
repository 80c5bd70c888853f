import { join } from "node:path";

import { askRedis, untilRedisReplies } from "../ask-redis.ts";
import type { ServerProcess } from "../child-process.ts";
import { freePorts } from "../free-ports.ts";
import { findRedis, startRedisServer, storeSettings } from "../redis-server.ts";
import type { RunningService, StartServiceOptions, Unavailable } from "../service.ts";

/** First slot of each node, and the number of slots. */
const slots = [0, 5_461, 10_923, 16_384];

const password = "cluster-of-a-test";

/** Starts a Redis Cluster of three nodes without replicas. */
export async function startRedisCluster(
  options: Omit<StartServiceOptions, "externalUrl">,
): Promise<RunningService | Unavailable> {
  const program = await findRedis(options);
  if ("unavailable" in program) return program;
  const [first = 0, second = 0, third = 0, ...busPorts] = await freePorts(6);
  const ports = [first, second, third];
  const urls = ports.map((port) => `redis://:${password}@127.0.0.1:${port}`);
  const processes: ServerProcess[] = [];
  const stop = async () => {
    await Promise.all(processes.map((process) => process.stop()));
  };
  try {
    for (const [index, port] of ports.entries()) {
      const name = `redis-${port}`;
      const login = ["--requirepass", password, "--masterauth", password];
      const cluster = ["--cluster-enabled", "yes", "--cluster-port", String(busPorts[index])];
      const args = [...storeSettings, ...login, ...cluster];
      const directory = join(options.directory, name);
      processes.push(await startRedisServer(program, { directory, port, name, password, args }));
    }
    for (const [index, url] of urls.entries()) {
      const range = [String(slots[index]), String((slots[index + 1] ?? 0) - 1)];
      await askRedis(url, ["CLUSTER", "SET-CONFIG-EPOCH", String(index + 1)]);
      await askRedis(url, ["CLUSTER", "ADDSLOTSRANGE", ...range]);
    }
    for (const [index, port] of ports.entries()) {
      const address = ["127.0.0.1", String(port), String(busPorts[index])];
      await askRedis(urls[0] ?? "", ["CLUSTER", "MEET", ...address]);
    }
    const complete = /cluster_state:ok[^]*cluster_known_nodes:3[^]*cluster_size:3/;
    for (const url of urls) await untilRedisReplies(url, ["CLUSTER", "INFO"], complete);
  } catch (error) {
    await stop();
    throw error;
  }
  const nodes = ports.map((port) => `127.0.0.1:${port}`).join(",");
  const url = `redis+cluster://:${password}@${nodes}`;
  return { url, description: program.description, stop };
}
