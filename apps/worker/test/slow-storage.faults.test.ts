import { once } from "node:events";
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { jobAccepted } from "@atelier/schemas";
import { startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";

const s3Url = inject("s3Url");

/** Capacity of the storage: the number of concurrent operations, and the duration of each. */
const capacity = 16;
const takesMs = 5_000;
const jobs = 40;

describe.skipIf(s3Url === null)("a storage that takes 5 s for an operation", () => {
  const [, address = ""] = (s3Url ?? "").split("@");
  const { hostname, port } = new URL(`http://${address}`);
  let server: Server;
  let stack: Stack;
  let busy = 0;
  let isSlow = false;
  /** When each operation ended, and whether its client was still connected. */
  const served: { readonly at: number; readonly wasDelivered: boolean }[] = [];
  const waiting: (() => void)[] = [];

  function next(): void {
    while (busy < capacity && waiting.length > 0) {
      busy++;
      waiting.shift()?.();
    }
  }

  beforeAll(async () => {
    server = createServer((request, response) => void serve(request, response));
    async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (isSlow && request.method !== "HEAD") {
        await new Promise<void>((resolve) => {
          waiting.push(() => setTimeout(resolve, takesMs));
          next();
        });
        busy--;
        served.push({ at: performance.now(), wasDelivered: !response.destroyed });
        next();
      }
      const { url, method, headers } = request;
      const upstream = forward({ hostname, port, path: url, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      upstream.on("error", () => {
        // Swift sends a body after some responses to HEAD, which fails only after the response.
        if (!response.headersSent) response.destroy();
      });
      if (chunks.length === 0) upstream.end();
      else upstream.end(Buffer.concat(chunks));
    }
    await once(server.listen(0, "127.0.0.1"), "listening");
    const proxied = (server.address() as AddressInfo).port;
    stack = await startStack({
      postgresUrl: inject("postgresUrl"),
      processes: true,
      redisUrl: inject("redisUrl"),
      s3Url: (s3Url ?? "").replace(`${hostname}:${port}`, `127.0.0.1:${proxied}`),
      environment: {
        WORKER_CONCURRENCY: "40",
        WORKER_LOCK_SECONDS: "10",
        OTHER_REQUESTS_PER_MINUTE: "1000000",
      },
    });
  });

  afterAll(async () => {
    isSlow = false;
    await stack?.stop();
    server.closeAllConnections();
    await once(server.close(), "close");
  });

  it("is used to at least 80 %, and all of 40 jobs end", { timeout: 400_000 }, async () => {
    const account = await stack.createAccount();
    isSlow = true;
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: jobs }, async () => {
        const body = { model: "fake-blind", prompt: "a lighthouse at dusk" };
        const headers = { Prefer: "respond-async" };
        const path = "/v1/generate/image";
        const response = await stack.request(account, "POST", path, body, headers);
        jobAccepted.parse(await response.json());
      }),
    );
    const completed = async () => {
      const [row] = await stack.database.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM generation WHERE status = 'completed'",
      );
      return row?.count === jobs;
    };
    await vi.waitUntil(completed, { timeout: 350_000, interval: 100 });
    const elapsedMs = performance.now() - startedAt;
    const useful = served.filter(({ wasDelivered }) => wasDelivered).length;
    const possible = (elapsedMs / takesMs) * capacity;
    expect({ elapsedMs, useful, wasted: served.length - useful, possible }).toMatchObject({
      wasted: 0,
    });
    expect(useful / possible).toBeGreaterThan(0.8);
    expect(await stack.database.query("SELECT FROM render WHERE attempt > 1")).toEqual([]);
  });
});
