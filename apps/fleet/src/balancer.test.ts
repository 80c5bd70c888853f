import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startBalancer, type Balancer } from "./balancer.ts";

type Listener = (...exchange: Parameters<RequestListener>) => void | Promise<void>;

let balancer: Balancer;
let servers: Server[];
let url: string;

beforeEach(async () => {
  servers = [];
  balancer = await startBalancer({ host: "127.0.0.1", port: 0 });
  url = `http://127.0.0.1:${balancer.port}`;
});

afterEach(async () => {
  for (const server of servers) server.closeAllConnections();
  await balancer.close();
  for (const server of servers) server.close();
});

/** Starts an instance that returns its name, unless it has another listener. */
async function startInstance(name: string, listener?: Listener): Promise<number> {
  const server = createServer((request, response) => {
    if (listener === undefined) response.end(name);
    else void listener(request, response);
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

const ask = async (path = "/") => (await fetch(url + path)).text();

it("proxies method, path, headers, body and the response", async () => {
  const port = await startInstance("", async (request, response) => {
    const { method, url: path, headers } = request;
    response.writeHead(201, { "X-Job": "7", "Set-Cookie": ["a=1", "b=2"] });
    response.end(
      JSON.stringify({ method, path, key: headers["x-key"], body: await text(request) }),
    );
  });
  balancer.add(port);
  const response = await fetch(`${url}/v1/jobs?limit=2`, {
    method: "POST",
    headers: { "X-Key": "secret" },
    body: "hello",
  });
  expect(response.status).toBe(201);
  expect(response.headers.get("X-Job")).toBe("7");
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await response.json()).toEqual({
    method: "POST",
    path: "/v1/jobs?limit=2",
    key: "secret",
    body: "hello",
  });
});

it("appends the client's address to X-Forwarded-For", async () => {
  balancer.add(
    await startInstance("", (request, response) => {
      response.end(request.headers["x-forwarded-for"]);
    }),
  );
  expect(await ask()).toBe("127.0.0.1");
  const headers = { "X-Forwarded-For": "203.0.113.9" };
  expect(await (await fetch(url, { headers })).text()).toBe("203.0.113.9, 127.0.0.1");
});

it("keeps idle connections longer than common proxies do", async () => {
  balancer.add(await startInstance("there"));
  const response = await fetch(url);
  expect(response.headers.get("Keep-Alive")).toBe("timeout=125");
});

it("proxies a body of unknown length for any method", async () => {
  const port = await startInstance("", async (request, response) => {
    response.end(`${request.method} ${await text(request)}`);
  });
  balancer.add(port);
  for (const method of ["POST", "DELETE"]) {
    const body = new Blob(["hel", "lo"]).stream();
    const response = await fetch(url, { method, body, duplex: "half" });
    expect(await response.text()).toBe(`${method} hello`);
  }
});

it("sends a request to the instance with the fewest open requests", async () => {
  const busy = Promise.withResolvers<void>();
  balancer.add(
    await startInstance("", async (_request, response) => {
      await busy.promise;
      response.end("slow");
    }),
  );
  const first = ask();
  balancer.add(await startInstance("free"));
  expect(await Promise.race([first, ask()])).toBe("free");
  expect(await ask()).toBe("free");
  busy.resolve();
  expect(await first).toBe("slow");
});

it("sends nothing to a removed instance, which finishes its open requests", async () => {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const port = await startInstance("", async (_request, response) => {
    arrived.resolve();
    await held.promise;
    response.end("old");
  });
  balancer.add(port);
  const first = ask();
  await arrived.promise;
  balancer.add(await startInstance("new"));
  await balancer.remove(port);
  expect([await ask(), await ask()]).toEqual(["new", "new"]);
  held.resolve();
  expect(await first).toBe("old");
});

it("sends nothing to an instance that is not ready", async () => {
  const receivedRequests: string[] = [];
  const probed = Promise.withResolvers<void>();
  let probes = 0;
  balancer.add(
    await startInstance("", (request, response) => {
      if (request.url === "/readyz") {
        // The response to the first probe was processed when the second one arrives.
        if (++probes === 2) probed.resolve();
        response.writeHead(503).end();
        return;
      }
      receivedRequests.push(request.url ?? "");
      response.end("draining");
    }),
  );
  balancer.add(await startInstance("ready"));
  await probed.promise;
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(["ready", "ready", "ready"]);
  expect(receivedRequests).toEqual([]);
});

it("tries another instance when the connection is refused", async () => {
  const port = await startInstance("gone");
  const [server] = servers;
  server?.closeAllConnections();
  server?.close();
  balancer.add(port);
  balancer.add(await startInstance("there"));
  const answer = await fetch(url, { method: "POST", body: "all of it" });
  expect(await answer.text()).toBe("there");
});

it("returns 503 without an instance and 502 when one closes the connection", async () => {
  expect((await fetch(url)).status).toBe(503);
  balancer.add(await startInstance("", (request) => void request.socket.destroy()));
  expect((await fetch(url, { method: "POST", body: "x" })).status).toBe(502);
});
