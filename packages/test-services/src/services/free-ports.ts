import { once } from "node:events";
import { createServer } from "node:net";

/**
 * `count` different TCP ports of the loopback interface that nobody listens on.
 * All are held at once, so that the kernel gives no port twice, and freed on return.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("not a TCP port");
    return address.port;
  });
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
