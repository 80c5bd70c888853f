import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTcpProxy, type TcpProxy } from "@atelier/local-services";
import { startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { sequential, until } from "./describe-queues.ts";

const redisUrl = inject("redisUrl");

let stack: Stack;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-outage-"));
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    processes: true,
    redisUrl,
    workers: 0,
    environment: { STORAGE_URL: `file:${directory}` },
  });
});

afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Finds a free port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}

async function readiness(port: number): Promise<{ status: number; body: unknown } | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    return { status: response.status, body: await response.json() };
  } catch {
    return null;
  }
}

/**
 * Starts a worker behind a proxy that refuses connections, and lets it through.
 *
 * @returns the status of its readiness before and after.
 */
async function startDuringOutage(
  proxy: TcpProxy,
  settings: Readonly<Record<string, string>>,
): Promise<(number | undefined)[]> {
  proxy.setFault("refused");
  const port = await freePort();
  const starting = stack.startWorker({
    ...settings,
    WORKER_ADMIN_HOST: "127.0.0.1",
    WORKER_ADMIN_PORT: String(port),
  });
  await until(async () => (await readiness(port)) !== null);
  const before = await readiness(port);
  proxy.setFault(null);
  await starting;
  const after = await readiness(port);
  return [before?.status, after?.status];
}

async function stopWorkers(): Promise<void> {
  await Promise.all(stack.workers.splice(0).map((worker) => worker.stop()));
}

/** Makes an image; recovery dispatches it when the API has another queue. */
async function generate(): Promise<number> {
  const account = await stack.createAccount();
  const body = { model: "fake-blind", prompt: "a lighthouse at dusk" };
  return (await stack.request(account, "POST", "/v1/generate/image", body)).status;
}

describe("a worker that is started during an outage", () => {
  it(
    "of the database and its queue is not ready, and starts work afterwards",
    sequential,
    async () => {
      const proxy = await startTcpProxy(stack.environment["DATABASE_URL"] ?? "");
      expect(await startDuringOutage(proxy, { DATABASE_URL: proxy.url, QUEUE_URL: "" })).toEqual([
        503, 200,
      ]);
      expect(await generate()).toBe(200);
      await stopWorkers();
      await proxy.stop();
    },
  );
});

describe.skipIf(redisUrl === null)("a worker that is started during an outage", () => {
  it("of the queue is not ready, and starts work afterwards", sequential, async () => {
    const proxy = await startTcpProxy(stack.queueUrl);
    expect(await startDuringOutage(proxy, { QUEUE_URL: proxy.url })).toEqual([503, 200]);
    expect(await generate()).toBe(200);
    await stopWorkers();
    await proxy.stop();
  });
});

const s3Url = inject("s3Url");

describe.skipIf(s3Url === null)("a worker that is started during an outage", () => {
  it("of the storage is not ready, and starts work afterwards", sequential, async () => {
    const [, rest = ""] = (s3Url ?? "").split("@");
    const proxy = await startTcpProxy(`http://${rest}`);
    const proxied = (s3Url ?? "").replace(rest, proxy.url.slice("http://".length));
    expect(await startDuringOutage(proxy, { STORAGE_URL: proxied })).toEqual([503, 200]);
    await stopWorkers();
    await proxy.stop();
  });
});
