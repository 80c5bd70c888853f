import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Network faults. `responses lost`: the service executes a COMMIT, and its response is dropped. */
export type NetworkFault = "cut" | "hangs" | "slow" | "responses lost" | "refused";

/** A TCP proxy between a program and a service that injects network faults. */
export interface TcpProxy {
  /** The service's URL through the proxy. */
  readonly url: string;
  /** Changes the target of new connections. */
  forwardTo(port: number): void;
  /** Starts a fault; null ends it. */
  setFault(kind: NetworkFault | null): void;
  /**
   * Keeps the current connections open without any response, as when a host disappears without closing
   * them. New connections are served. `end` closes the old ones.
   */
  freezeConnections(): { end(): void };
  stop(): Promise<void>;
}

const slowByMs = 120;

/**
 * Starts a proxy that forwards bytes to a service.
 *
 * @param serviceUrl names its port.
 */
export async function startTcpProxy(serviceUrl: string): Promise<TcpProxy> {
  const url = new URL(serviceUrl);
  const { hostname } = url;
  let target = Number(url.port);
  let current: NetworkFault | null = null;
  const pairs = new Set<readonly [Socket, Socket]>();
  const frozen: Socket[] = [];

  const destroy = (sockets: Iterable<Socket>) => {
    for (const socket of sockets) socket.destroy();
  };
  const cut = () => destroy([...pairs].flat());

  /** Forwards the bytes of one side, subject to the current fault. */
  function pass(from: Socket, to: Socket, isResponse: boolean): void {
    from.on("data", (bytes) => {
      if (isResponse && current === "responses lost") return;
      if (current === "slow") {
        from.pause();
        setTimeout(() => {
          to.write(bytes);
          if (current !== "hangs") from.resume();
        }, slowByMs);
        return;
      }
      if (!to.write(bytes)) from.pause();
    });
    to.on("drain", () => {
      if (current !== "hangs") from.resume();
    });
    from.on("end", () => to.end());
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (current === "refused") {
      client.destroy();
      return;
    }
    const upstream = connect({ port: target, host: hostname, allowHalfOpen: true });
    const pair = [client, upstream] as const;
    pairs.add(pair);
    client.setNoDelay();
    upstream.setNoDelay();
    pass(client, upstream, false);
    pass(upstream, client, true);
    client.once("close", () => pairs.delete(pair));
    if (current === "hangs") for (const socket of pair) socket.pause();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    // Keeps the URL as written, since `href` appends a slash to an empty path.
    url: serviceUrl.endsWith("/") ? url.href : url.href.replace(/\/$/, ""),
    forwardTo(port) {
      target = port;
    },
    setFault(kind) {
      const before = current;
      current = kind;
      if (kind === "cut" || kind === "refused") cut();
      if (kind === "hangs")
        for (const sockets of pairs) for (const socket of sockets) socket.pause();
      // Withheld bytes are never delivered: a partial response would be worse than none.
      if (before === "responses lost") cut();
      if (before === "hangs" && kind === null) {
        for (const sockets of pairs) for (const socket of sockets) socket.resume();
      }
    },
    freezeConnections() {
      const sockets = [...pairs].flat();
      pairs.clear();
      for (const socket of sockets) socket.pause();
      frozen.push(...sockets);
      return { end: () => destroy(sockets) };
    },
    async stop() {
      cut();
      destroy(frozen);
      await once(server.close(), "close");
    },
  };
}
