import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** What can happen to connections; `answers lost` is a COMMIT that was carried out, and nobody told. */
export type Trouble = "cut" | "hangs" | "slow" | "answers lost" | "away";

/** A place between a program and a service that it needs, where connections can be troubled. */
export interface TcpProxy {
  /** The service's URL, through here. */
  readonly url: string;
  /** Where it leads from now on, for connections to come. */
  leadTo(port: number): void;
  /** Begins a trouble; null ends it. */
  trouble(kind: Trouble | null): void;
  /**
   * Leaves the connections of this moment open and without an answer for ever, as when a host is
   * gone without a word; those to come are served. `end` closes them at last.
   */
  forget(): { end(): void };
  stop(): Promise<void>;
}

const slowByMs = 120;

/**
 * Passes bytes on to a service.
 *
 * @param serviceUrl names its port.
 */
export async function startTcpProxy(serviceUrl: string): Promise<TcpProxy> {
  const url = new URL(serviceUrl);
  const { hostname } = url;
  let target = Number(url.port);
  let current: Trouble | null = null;
  const pairs = new Set<readonly [Socket, Socket]>();
  const forgotten: Socket[] = [];

  const destroy = (sockets: Iterable<Socket>) => {
    for (const socket of sockets) socket.destroy();
  };
  const cut = () => destroy([...pairs].flat());

  /** Passes on what comes from one side, unless the trouble of the moment says otherwise. */
  function pass(from: Socket, to: Socket, isAnswer: boolean): void {
    from.on("data", (bytes) => {
      if (isAnswer && current === "answers lost") return;
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
    if (current === "away") {
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
    // As it was written: `href` ends in a slash where there is no path.
    url: serviceUrl.endsWith("/") ? url.href : url.href.replace(/\/$/, ""),
    leadTo(port) {
      target = port;
    },
    trouble(kind) {
      const before = current;
      current = kind;
      if (kind === "cut" || kind === "away") cut();
      if (kind === "hangs")
        for (const sockets of pairs) for (const socket of sockets) socket.pause();
      // What was withheld never arrives: an answer that comes in pieces is worse than none.
      if (before === "answers lost") cut();
      if (before === "hangs" && kind === null) {
        for (const sockets of pairs) for (const socket of sockets) socket.resume();
      }
    },
    forget() {
      const sockets = [...pairs].flat();
      pairs.clear();
      for (const socket of sockets) socket.pause();
      forgotten.push(...sockets);
      return { end: () => destroy(sockets) };
    },
    async stop() {
      cut();
      destroy(forgotten);
      await once(server.close(), "close");
    },
  };
}
