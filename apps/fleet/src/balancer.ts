import { once } from "node:events";
import { createServer, request as sendRequest } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";

/** One port in front of several instances of the API. */
export interface Balancer {
  readonly port: number;
  /** From now on the instance on this port of the loopback interface gets its share. */
  add(port: number): void;
  /**
   * Sends nothing more to an instance.
   *
   * @returns a promise that is fulfilled when all that was meant for it is on its way to it, so that
   *   it can be told to stop.
   */
  remove(port: number): Promise<void>;
  /** Lets requests under way end, and closes. */
  close(): Promise<void>;
}

interface Target {
  readonly port: number;
  /** Whether its last probe was answered well; one that was just added is believed. */
  isReady: boolean;
  /** Whether a probe is under way. */
  isProbed: boolean;
  /** Requests that are not answered yet. */
  open: number;
  /** Requests that are not sent yet. */
  readonly sending: Set<Promise<void>>;
}

const probeIntervalMs = 250;
const probeTimeoutMs = 5_000;

/**
 * Listens on a port and hands each request to the instance with the fewest open ones. Instances
 * whose `/readyz` refuses, as one does that is being stopped, get none; neither do those that cannot
 * be connected to. Each request has a connection of its own to its instance, so that none is sent
 * on a kept one at the moment when the other side closes it; towards clients, connections are kept.
 */
export async function startBalancer(options: {
  readonly host: string;
  readonly port: number;
}): Promise<Balancer> {
  const targets = new Map<number, Target>();

  const server = createServer((request, response) => void forward(request, response));
  // How long a request may take is for the API to say.
  server.requestTimeout = 0;
  server.listen(options.port, options.host);
  await once(server, "listening");

  /** Those that may get a request, the best first. */
  function candidates(): Target[] {
    const all = [...targets.values()];
    const ready = all.filter(({ isReady }) => isReady);
    return (ready.length > 0 ? ready : all).sort((one, other) => one.open - other.open);
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const target of candidates()) {
      const sent = Promise.withResolvers<void>();
      target.open += 1;
      target.sending.add(sent.promise);
      const settle = () => {
        target.sending.delete(sent.promise);
        sent.resolve();
      };
      response.once("close", () => {
        target.open -= 1;
        settle();
      });
      // Nothing was sent as long as there is no connection: then another instance may have it.
      const socket = await connectTo(target.port);
      if (socket === null) {
        target.isReady = false;
        settle();
        continue;
      }
      if (response.destroyed) socket.destroy();
      else pass(request, response, socket, settle);
      return;
    }
    response.writeHead(503, { "Retry-After": "1" }).end();
  }

  async function probe(target: Target): Promise<void> {
    if (target.isProbed) return;
    target.isProbed = true;
    try {
      const response = await fetch(`http://127.0.0.1:${target.port}/readyz`, {
        headers: { Connection: "close" },
        signal: AbortSignal.timeout(probeTimeoutMs),
      });
      await response.body?.cancel();
      target.isReady = response.ok;
    } catch {
      target.isReady = false;
    }
    target.isProbed = false;
  }

  const timer = setInterval(() => {
    for (const target of targets.values()) void probe(target);
  }, probeIntervalMs);

  return {
    port: (server.address() as AddressInfo).port,
    add(port) {
      targets.set(port, { port, isReady: true, isProbed: false, open: 0, sending: new Set() });
    },
    async remove(port) {
      const target = targets.get(port);
      targets.delete(port);
      if (target !== undefined) await Promise.all(target.sending);
    },
    async close() {
      clearInterval(timer);
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

/** A connection to a port of this machine; null when nobody takes it. */
async function connectTo(port: number): Promise<Socket | null> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return socket;
  } catch {
    return null;
  }
}

/** What concerns one connection, and not the request. */
const hopByHop = ["connection", "keep-alive"];
/** Node frames an answer by itself; of a request it has to be told that it has a body. */
const notPassed = {
  request: new Set(hopByHop),
  answer: new Set([...hopByHop, "transfer-encoding"]),
};

/** Sends a request over a connection, and its answer back. Told once all of it is sent. */
function pass(
  request: IncomingMessage,
  response: ServerResponse,
  socket: Socket,
  onSent: () => void,
): void {
  const upstream = sendRequest({
    method: request.method,
    path: request.url,
    headers: without(notPassed.request, request.rawHeaders),
    createConnection: () => socket,
    setHost: false,
  });
  upstream.once("finish", onSent);
  upstream.once("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, without(notPassed.answer, answer.rawHeaders));
    answer.pipe(response);
    answer.once("error", () => response.destroy());
  });
  upstream.once("error", () => {
    // Whether it was carried out is not known, so it is not sent again.
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  // A client that goes away takes its request with it.
  response.once("close", () => upstream.destroy());
  request.pipe(upstream);
}

/** Pairs of names and values in one list, as Node gives and takes them. */
function without(names: ReadonlySet<string>, rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_text, index) => !names.has(rawHeaders[index - (index % 2)]?.toLowerCase() ?? ""),
  );
}
