import { once } from "node:events";
import { createServer, request as sendRequest } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";

/** A load balancer: one port in front of several API instances. */
export interface Balancer {
  readonly port: number;
  /** Adds the instance on this port of the loopback interface. */
  add(port: number): void;
  /**
   * Stops sending requests to an instance.
   *
   * @returns a promise that resolves when all its requests have been sent, so that it can be
   *   stopped.
   */
  remove(port: number): Promise<void>;
  /** Waits for open requests, then closes. */
  close(): Promise<void>;
}

interface Target {
  readonly port: number;
  /** The result of the last probe; a new instance counts as ready. */
  isReady: boolean;
  /** Whether a probe is in progress. */
  isProbed: boolean;
  /** Number of requests without a complete response. */
  open: number;
  /** Requests that are not completely sent yet. */
  readonly sending: Set<Promise<void>>;
}

const probeIntervalMs = 250;
const probeTimeoutMs = 5_000;
/**
 * Timeout of idle connections to clients: the default of the API (`KEEP_ALIVE_SECONDS`), which exceeds
 * that of common proxies. With Node's five seconds, a proxy in front would reuse connections while
 * they are closed.
 */
const keepAliveMs = 125_000;

/**
 * Listens on a port and forwards each request to the instance with the fewest open requests.
 * Instances that refuse connections, or whose `/readyz` fails, as during a shutdown, receive no requests.
 * Each request uses a new connection to its instance, so that no request is sent on a kept
 * connection while the other side closes it; connections to clients are kept alive.
 */
export async function startBalancer(options: {
  readonly host: string;
  readonly port: number;
}): Promise<Balancer> {
  const targets = new Map<number, Target>();

  const server = createServer((request, response) => void forward(request, response));
  // The API enforces the request timeout.
  server.requestTimeout = 0;
  server.keepAliveTimeout = keepAliveMs;
  server.listen(options.port, options.host);
  await once(server, "listening");

  /** Returns the available instances, best first. */
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
      // Nothing is sent before the connection exists, so another instance can be tried safely.
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

/** Connects to a port of this machine; null if the connection is refused. */
async function connectTo(port: number): Promise<Socket | null> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return socket;
  } catch {
    return null;
  }
}

/** Headers of one connection instead of the request. */
const hopByHop = ["connection", "keep-alive"];
/** Node frames responses itself; for requests, it needs to know whether there is a body. */
const notPassed = {
  request: new Set([...hopByHop, "x-forwarded-for"]),
  answer: new Set([...hopByHop, "transfer-encoding"]),
};

/**
 * Forwards a request over a connection and returns the response. Resolves when the request is
 * completely sent.
 */
function pass(
  request: IncomingMessage,
  response: ServerResponse,
  socket: Socket,
  onSent: () => void,
): void {
  const upstream = sendRequest({
    method: request.method,
    path: request.url,
    headers: [
      ...without(notPassed.request, request.rawHeaders),
      "X-Forwarded-For",
      forwardedFor(request),
    ],
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
    // The request may have been executed, so it is not sent again.
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  // A disconnected client aborts its request.
  response.once("close", () => upstream.destroy());
  request.pipe(upstream);
}

/** Appends the address of the connection, by which the API limits clients. */
function forwardedFor({ headers, socket }: IncomingMessage): string {
  const before = headers["x-forwarded-for"];
  return [...(before === undefined ? [] : [before]), socket.remoteAddress ?? "unknown"].join(", ");
}

/** Names and values in one list, as Node reads and writes raw headers. */
function without(names: ReadonlySet<string>, rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_text, index) => !names.has(rawHeaders[index - (index % 2)]?.toLowerCase() ?? ""),
  );
}
