import { once } from "node:events";
import { createServer } from "node:http";
import { onTestFinished, describe, expect, test } from "vitest";
import { createGuardedPoster } from "./poster.ts";
import { problemOfReceiverUrl } from "./receiver-url.ts";
import { portOf, startInternet, type Site } from "./testing/internet.ts";
import { never } from "./testing/online.ts";
import { answering, redirecting } from "./testing/sites.ts";

const request = { headers: { "webhook-id": "evt_1" }, body: '{"type":"job.completed"}' };

async function posterFor(sites: Readonly<Record<string, Site>>, privateHosts: string[] = []) {
  const internet = await startInternet(sites);
  onTestFinished(() => internet.close());
  const poster = createGuardedPoster({
    totalTimeoutMs: 1_000,
    maxResponseBytes: 65_536,
    privateHosts,
    testing: internet.testing,
  });
  return { internet, post: (url: string) => poster.post(url, request, never) };
}

describe("a request to a receiver", () => {
  test("has the body and the given headers, and returns the status", async () => {
    let body = "";
    const { internet, post } = await posterFor({
      "site.example.org": {
        http: (incoming, response) => {
          incoming.on("data", (chunk) => (body += String(chunk)));
          incoming.on("end", () => response.writeHead(204).end());
        },
      },
    });
    expect(await post("https://site.example.org/hook?a=1")).toEqual({ status: 204 });
    expect(body).toBe(request.body);
    expect(internet.seen.requests[0]).toMatchObject({
      method: "POST",
      url: "/hook?a=1",
      headers: { "webhook-id": "evt_1", "content-type": "application/json" },
    });
  });

  test("follows no redirect", async () => {
    const { internet, post } = await posterFor({
      "site.example.org": redirecting("https://other.example.org/", 307),
      "other.example.org": answering(200),
    });
    expect(await post("https://site.example.org/")).toEqual({ status: 307 });
    expect(internet.seen.requests).toHaveLength(1);
  });

  test("fails without a connection for a name with a private address", async () => {
    const { internet, post } = await posterFor({
      "site.example.org": { ...answering(200), addresses: [["10.0.0.1"]] },
    });
    await expect(post("https://site.example.org/")).rejects.toMatchObject({
      reason: "unreachable",
    });
    expect(internet.connectionCount()).toBe(0);
  });

  test.each([
    ["never answers", { http: () => undefined }, "timeout", "no answer within 1 s"],
    [
      "closes the connection",
      { raw: (socket) => void socket.destroy() },
      "connection_lost",
      "the connection was closed before the response",
    ],
    [
      "sends no HTTP",
      { raw: (socket) => void socket.end("hello\r\n\r\n") },
      "bad_response",
      "the response is not valid HTTP",
    ],
  ] satisfies [string, Site, string, string][])(
    "says in plain words that the receiver %s",
    async (_name, site, reason, message) => {
      const { post } = await posterFor({ "site.example.org": site });
      await expect(post("https://site.example.org/")).rejects.toMatchObject({ reason, message });
    },
  );

  test("does not tell an unknown host from one with a private address", async () => {
    const { post } = await posterFor({
      "private.example.org": { addresses: [["10.0.0.7"]] },
    });
    for (const host of ["missing", "private"]) {
      await expect(post(`https://${host}.example.org/`)).rejects.toMatchObject({
        message: "no connection: the host is unknown or has no public address",
      });
    }
  });

  test("says that a port of a private host refuses connections", async () => {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const host = `127.0.0.1:${portOf(server)}`;
    server.close();
    await once(server, "close");
    const { post } = await posterFor({}, [host]);
    await expect(post(`http://${host}/hook`)).rejects.toMatchObject({
      message: "no connection: refused by the host",
    });
  });

  test("reads a bounded part of the response", async () => {
    let sentBytes = 0;
    const { post } = await posterFor({
      "site.example.org": {
        http: (_request, response) => {
          response.writeHead(200);
          const chunk = Buffer.alloc(65_536);
          const write = () => {
            sentBytes += chunk.byteLength;
            response.write(chunk, (error) => {
              if (error == null && sentBytes < 100_000_000) write();
            });
          };
          write();
        },
      },
    });
    expect(await post("https://site.example.org/")).toEqual({ status: 200 });
    expect(sentBytes).toBeLessThan(20_000_000);
  });

  test("reaches a private host over plain HTTP only when the operator allows it", async () => {
    const server = createServer((_request, response) => response.writeHead(200).end());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const host = `127.0.0.1:${portOf(server)}`;
    const allowed = await posterFor({}, [host]);
    expect(await allowed.post(`http://${host}/hook`)).toEqual({ status: 200 });
    const refused = await posterFor({});
    await expect(refused.post(`http://${host}/hook`)).rejects.toMatchObject({
      reason: "not_https",
    });
  });
});

test.each([
  ["https://example.com/hook", true],
  ["http://example.com/hook", false],
  ["https://example.com:8443/hook", false],
  ["https://192.168.1.2/hook", false],
  ["http://hooks.internal:8080/hook", true],
  ["http://hooks.internal:8081/hook", false],
  ["http://user@hooks.internal:8080/hook", false],
  ["https://hooks.internal/hook", false],
])("the URL %s is accepted: %s", (url, isAccepted) => {
  expect(problemOfReceiverUrl(url, ["hooks.internal:8080"]) === null).toBe(isAccepted);
});
