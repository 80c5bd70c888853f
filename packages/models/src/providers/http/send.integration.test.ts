import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { CallEnded } from "./call-ended.ts";
import { createSend, type HttpOptions, type HttpRequest } from "./send.ts";

const credentials = { authorization: "Bearer secret-of-the-operator" };
const order = { method: "POST", url: "images", body: "{}", purpose: "generate" } as const;

const servers: Server[] = [];

/** A loopback server; returns its URL and the received requests. */
async function serve(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    respond(request, response);
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

function send(options: Omit<HttpOptions, "credentials">, request: Partial<HttpRequest> = {}) {
  const { signal } = new AbortController();
  return createSend({ credentials, ...options })({ ...order, signal, ...request });
}

async function endOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.catch((caught: unknown) => caught);
  return error instanceof CallEnded ? error.outcome : error;
}

describe("one exchange with a provider", () => {
  it("resolves paths under the base URL, and sends the key there", async () => {
    const { requests, url } = await serve((_, response) => response.end("{}"));
    await send({ baseUrl: `${url}/v1` });
    await send({ baseUrl: `${url}/v1/` }, { method: "GET", url: `${url}/jobs/1?x=2` });
    expect(requests.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
      "POST /v1/images",
      "GET /jobs/1?x=2",
    ]);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      credentials.authorization,
      credentials.authorization,
    ]);
  });

  it("sends nothing to other hosts", async () => {
    const home = await serve((_, response) => response.end("{}"));
    const elsewhere = await serve((_, response) => response.end("{}"));
    const port = new URL(home.url).port;
    for (const url of [
      elsewhere.url,
      elsewhere.url.slice("http:".length),
      `http://user:pass@127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      "http://api.example.com/",
      "https://api.example.com:8443/",
      "https://example.com.evil.example/",
      "https://evilexample.com/",
      "file:///etc/passwd",
      "http://[broken",
    ]) {
      const outcome = await endOf(send({ baseUrl: home.url, domains: ["example.com"] }, { url }));
      expect(outcome).toEqual({
        kind: "unknown",
        message: "the provider named a host that is not its own",
      });
    }
    expect([...home.requests, ...elsewhere.requests]).toEqual([]);
  });

  it("follows no redirect", async () => {
    const elsewhere = await serve((_, response) => response.end("{}"));
    const home = await serve((_, response) => {
      response.writeHead(308, { location: elsewhere.url }).end();
    });
    expect((await send({ baseUrl: home.url })).status).toBe(308);
    expect(elsewhere.requests).toEqual([]);
  });

  it("uses each connection once, so that a request is never lost on a stale connection", async () => {
    const { requests, url } = await serve((_, response) => response.end("{}"));
    await send({ baseUrl: url });
    await send({ baseUrl: url });
    expect(new Set(requests.map(({ socket }) => socket)).size).toBe(2);
  });

  it("sends a body with its length", async () => {
    const { requests, url } = await serve((_, response) => response.end("{}"));
    await send({ baseUrl: url }, { body: new Uint8Array(70_000) });
    expect(requests[0]?.headers["content-length"]).toBe("70000");
    expect(requests[0]?.headers["transfer-encoding"]).toBeUndefined();
  });

  it("rejects encoded and oversized responses", async () => {
    const encoded = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end("x");
    });
    expect(await endOf(send({ baseUrl: encoded.url }))).toMatchObject({ kind: "unknown" });
    const large = await serve((_, response) => {
      response.writeHead(200, { "content-length": "1001" }).flushHeaders();
    });
    expect(await endOf(send({ baseUrl: large.url, maxResponseBytes: 1_000 }))).toMatchObject({
      kind: "unknown",
      message: "the response is too large",
    });
  });

  it("times out without a response or when the body stalls", async () => {
    const silent = await serve(() => undefined);
    const poll = { method: "GET", purpose: "poll" } as const;
    expect(await endOf(send({ baseUrl: silent.url, idleTimeoutMs: 50 }, poll))).toEqual({
      kind: "unknown",
      message: "no response to a poll",
    });
    const stalling = await serve((_, response) => {
      response.write("x");
    });
    const message = "the response stalled";
    const stall = (request = {}) => send({ baseUrl: stalling.url, idleTimeoutMs: 50 }, request);
    expect(await endOf(stall())).toEqual({ kind: "timed-out", message });
    expect(await endOf(stall(poll))).toEqual({ kind: "unknown", message });
  });

  it("starts the idle timeout of an image with its first byte, not with the headers", async () => {
    const started: number[] = [];
    const startTimer = (timeoutMs: number) => {
      started.push(timeoutMs);
      return () => undefined;
    };
    const { url } = await serve((_, response) => {
      response.flushHeaders();
      response.end("{}");
    });
    const limits = { baseUrl: url, idleTimeoutMs: 50, startTimer };
    await send(limits);
    expect(started).toEqual([50]);
    await send(limits, { purpose: "poll" });
    expect(started).toHaveLength(4);
  });

  it("distinguishes requests that were not sent from those that may have been", async () => {
    // tcpmux: no server listens on this port.
    const closedPort = "http://127.0.0.1:1";
    expect(await endOf(send({ baseUrl: closedPort }))).toEqual({
      kind: "unavailable",
      message: "connection failed: ECONNREFUSED",
      retryAfterMs: null,
    });
    const { url } = await serve((request) => request.socket.destroy());
    expect(await endOf(send({ baseUrl: url }))).toMatchObject({ kind: "unknown" });
    // The polled call continues, whether or not the poll was sent.
    expect(await endOf(send({ baseUrl: closedPort }, { purpose: "poll" }))).toMatchObject({
      kind: "unknown",
    });
  });
});
