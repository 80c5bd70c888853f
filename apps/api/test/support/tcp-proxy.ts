import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Stands between a program and a service that it needs, so that a test can take the service away. */
export interface TcpProxy {
  /** The URL that leads through it. */
  readonly url: string;
  /** Cuts every connection and lets no new one through. */
  cut(): void;
  restore(): void;
  stop(): Promise<void>;
}

export async function startTcpProxy(serviceUrl: string): Promise<TcpProxy> {
  const service = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(service.port), service.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a TCP port");
  const url = new URL(serviceUrl);
  url.host = `127.0.0.1:${address.port}`;
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    restore() {
      isCut = false;
    },
    async stop() {
      cut();
      await once(server.close(), "close");
    },
  };
}
