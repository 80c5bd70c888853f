import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/**
 * Below the ports that Linux and macOS give to connections and to `listen(0)`: between here and the
 * moment when somebody listens, the kernel gives none of these to anybody else.
 */
const firstPort = 20_000;
const lastPort = 32_767;

/**
 * `count` different TCP ports of the loopback interface that nobody listens on.
 * All are held at once, so that none is chosen twice, and freed on return.
 */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = randomInt(firstPort, lastPort + 1);
    const server = createServer();
    if (!held.has(port) && (await canListen(server, port))) held.set(port, server);
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
