import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { Trouble } from "./schedule.ts";

/** A place between the service and something that it needs, where connections can be troubled. */
export interface Proxy {
  readonly port: number;
  /** Where it leads from now on, for connections to come. */
  leadTo(port: number): void;
  /** Begins a trouble; null ends it. */
  trouble(kind: Trouble | null): void;
  stop(): Promise<void>;
}

const slowByMs = 120;

/** Passes bytes on, to a port of this machine. */
export async function startProxy(targetPort: number): Promise<Proxy> {
  let target = targetPort;
  let current: Trouble | null = null;
  const pairs = new Set<readonly [Socket, Socket]>();

  const cut = () => {
    for (const sockets of pairs) for (const socket of sockets) socket.destroy();
  };

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
    const upstream = connect({ port: target, host: "127.0.0.1", allowHalfOpen: true });
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

  return {
    port: (server.address() as AddressInfo).port,
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
    async stop() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
