import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";

/**
 * Below the ephemeral port range of Linux and macOS, so that the kernel assigns none of these ports
 * before the caller listens.
 */
const firstPort = 20_000;
const lastPort = 32_767;

/** Ports already returned; their callers may not be listening yet. */
const reserved = new Set<number>();

/**
 * Finds `count` free TCP ports on the loopback interface. All are held until the last one is found, and
 * no port is returned twice in one process.
 */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = randomInt(firstPort, lastPort + 1);
    if (reserved.has(port)) continue;
    reserved.add(port);
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

/** Whether a server accepts connections on a port of loopback. */
export function isPortOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const settle = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
