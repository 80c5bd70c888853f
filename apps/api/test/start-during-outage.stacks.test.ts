import { startTcpProxy, type TcpProxy } from "@atelier/local-services";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { startSecondApi } from "./support/second-api.ts";
import { image } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { sendAs } from "./support/send-as.ts";

const redisUrl = inject("redisUrl");
const s3Url = inject("s3Url");

let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    processes: true,
    redisUrl,
    s3Url,
  });
  account = await stack.createAccount();
});

afterAll(() => stack.stop());

const generateImage = { method: "POST", path: "/v1/generate/image", body: image };

const readiness = async (url: string) => {
  const response = await fetch(`${url}/readyz`);
  return { code: response.status, ...((await response.json()) as { status: string }) };
};

/** Starts an API behind a proxy that refuses connections. */
async function startDuringOutage(
  serviceUrl: string,
  settings: (url: string) => Readonly<Record<string, string>>,
): Promise<{ url: string; adminUrl: string; proxy: TcpProxy }> {
  const proxy = await startTcpProxy(serviceUrl);
  proxy.setFault("refused");
  const { url, program } = await startSecondApi(stack, settings(proxy.url));
  onTestFinished(async () => {
    await program.stop();
    await proxy.stop();
  });
  const [, adminPort] = /"adminPort":(\d+)/.exec(await program.log()) ?? [];
  return { url, adminUrl: `http://127.0.0.1:${adminPort}`, proxy };
}

const admin = async (url: string, path: string) => {
  const response = await fetch(url + path, {
    headers: { Authorization: `Bearer ${stack.adminKey}` },
  });
  return response.text();
};

async function expectReads(url: string): Promise<void> {
  for (const path of ["/v1/jobs", "/v1/account", "/v1/models"]) {
    expect((await sendAs(account, url, { method: "GET", path: path })).status).toBe(200);
  }
}

describe.skipIf(redisUrl === null)("an API that is started while the queue is unavailable", () => {
  it("serves, accepts jobs that recovery dispatches, and connects when the queue is available", async () => {
    const { url, adminUrl, proxy } = await startDuringOutage(stack.queueUrl, (QUEUE_URL) => ({
      QUEUE_URL,
    }));
    expect(await readiness(url)).toEqual({
      code: 200,
      status: "degraded",
      parts: { database: "ok", queue: "unavailable", storage: "ok" },
    });
    await expectReads(url);
    const metrics = await admin(adminUrl, "/metrics");
    expect(metrics).toContain('atelier_part_up{part="queue"} 0');
    expect(metrics).toContain('atelier_queue_oldest_age_seconds{lane="fake-blind"} 0');

    const accepted = await sendAs(account, url, generateImage);
    expect(accepted.status).toBe(202);
    const id = accepted.headers.get("X-Service-Job-Id");
    await eventually(
      async () =>
        (await (await sendAs(account, url, { method: "GET", path: `/v1/jobs/${id}` })).json()) as {
          status: string;
        },
      ({ status }) => status === "completed",
    );

    proxy.setFault(null);
    await eventually(
      () => readiness(url),
      ({ status }) => status === "ready",
    );
    expect(await admin(adminUrl, "/metrics")).toContain('atelier_part_up{part="queue"} 1');
    expect(await admin(adminUrl, "/queues/api/queues")).toContain("fake-blind");
  });
});

describe.skipIf(s3Url === null)("an API that is started while the storage is unavailable", () => {
  it("serves, accepts jobs, and becomes ready when the storage is available", async () => {
    const [, host = ""] = (s3Url ?? "").split("@");
    const { url, adminUrl, proxy } = await startDuringOutage(`http://${host}`, (proxied) => ({
      STORAGE_URL: (s3Url ?? "").replace(host, proxied.slice("http://".length)),
    }));
    expect(await readiness(url)).toEqual({
      code: 200,
      status: "degraded",
      parts: { database: "ok", queue: "ok", storage: "unavailable" },
    });
    await expectReads(url);
    expect(await admin(adminUrl, "/metrics")).toContain('atelier_part_up{part="storage"} 0');
    expect((await sendAs(account, url, generateImage)).status).toBe(202);

    proxy.setFault(null);
    await eventually(
      () => readiness(url),
      ({ status }) => status === "ready",
    );
    expect(await admin(adminUrl, "/metrics")).toContain('atelier_part_up{part="storage"} 1');
  });
});
