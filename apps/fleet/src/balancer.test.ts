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

/** An instance that says its name, unless it is told to do something else. */
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

it("hands on method, path, headers and body, and answers with what comes back", async () => {
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

it("hands on a body of unknown length, whatever the method", async () => {
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

it("gives a request to the instance with the fewest open ones", async () => {
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

it("sends nothing to an instance that was removed, which answers what it has", async () => {
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

it("sends nothing to an instance whose readiness probe refuses", async () => {
  const asked: string[] = [];
  const probed = Promise.withResolvers<void>();
  let probes = 0;
  balancer.add(
    await startInstance("", (request, response) => {
      if (request.url === "/readyz") {
        // The answer to the first has been heard when there is a second.
        if (++probes === 2) probed.resolve();
        response.writeHead(503).end();
        return;
      }
      asked.push(request.url ?? "");
      response.end("draining");
    }),
  );
  balancer.add(await startInstance("ready"));
  await probed.promise;
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(["ready", "ready", "ready"]);
  expect(asked).toEqual([]);
});

it("gives a request to another instance when one cannot be connected to", async () => {
  const port = await startInstance("gone");
  const [server] = servers;
  server?.closeAllConnections();
  server?.close();
  balancer.add(port);
  balancer.add(await startInstance("there"));
  const answer = await fetch(url, { method: "POST", body: "all of it" });
  expect(await answer.text()).toBe("there");
});

it("says 503 when there is no instance, and 502 when one hangs up", async () => {
  expect((await fetch(url)).status).toBe(503);
  balancer.add(await startInstance("", (request) => void request.socket.destroy()));
  expect((await fetch(url, { method: "POST", body: "x" })).status).toBe(502);
});
