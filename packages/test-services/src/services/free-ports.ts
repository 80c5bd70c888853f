import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/**
 * Below the ports that Linux and macOS give to connections and to `listen(0)`: between here and the
 * moment when somebody listens, the kernel gives none of these to anybody else.
 */
const firstPort = 20_000;
const lastPort = 32_767;

/** Given out before: whoever asked may not listen yet. */
const given = new Set<number>();

/**
 * `count` different TCP ports of the loopback interface that nobody listens on.
 * All are held until the last is found, and no process is given one twice.
 */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = randomInt(firstPort, lastPort + 1);
    if (given.has(port)) continue;
    given.add(port);
    const server = createServer();
    if (await canListen(server, port)) held.set(port, server);
  }
  await Promise.all([...held.values()].map((server) => once(server.close(), "close")));
  return [...held.keys()];
}

async function canListen(server: Server, port: number): Promise<boolean> {
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
    return true;
  } catch {
    return false;
  }
}
