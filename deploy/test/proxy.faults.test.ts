import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findHaproxy, freePorts, startServerProcess } from "@atelier/local-services";
import type { Program } from "@atelier/process";
import { startLoad, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { readText } from "./deployment-files.ts";

const directory = await mkdtemp(join(tmpdir(), "atelier-proxy-"));
const haproxy = await findHaproxy({ log: (line) => void process.stderr.write(`${line}\n`) });

/** The configuration of Docker Compose, with addresses of this machine. */
async function configurationFor(ports: {
  readonly apis: readonly [number, number];
  readonly admins: readonly [number, number];
  readonly proxy: number;
  readonly admin: number;
  readonly health: number;
}): Promise<string> {
  const replaced: Readonly<Record<string, string>> = {
    "server-template first 4 api:3000": `server first 127.0.0.1:${ports.apis[0]}`,
    "server-template second 4 api-2:3000": `server second 127.0.0.1:${ports.apis[1]}`,
    "server-template first 4 api:3001": `server first 127.0.0.1:${ports.admins[0]} port ${ports.apis[0]}`,
    "server-template second 4 api-2:3001": `server second 127.0.0.1:${ports.admins[1]} port ${ports.apis[1]}`,
    "check port 3000 inter": "check inter",
    "timeout http-request 15s": "timeout http-request 3s",
    " resolvers docker resolve-prefer ipv4 init-addr none,libc": "",
    "bind :3000": `bind 127.0.0.1:${ports.proxy}`,
    "bind :3001": `bind 127.0.0.1:${ports.admin}`,
    "bind 127.0.0.1:3002": `bind 127.0.0.1:${ports.health}`,
  };
  let text = await readText("deploy/haproxy/haproxy.cfg");
  for (const [part, replacement] of Object.entries(replaced)) {
    expect(text).toContain(part);
    text = text.replaceAll(part, replacement);
  }
  return text;
}

describe.skipIf("unavailable" in haproxy)("two APIs behind the proxy of Docker Compose", () => {
  let stack: Stack;
  let account: TestAccount;
  let url: string;
  let healthUrl: string;
  let proxy: Awaited<ReturnType<typeof startServerProcess>>;
  /** The APIs, and the settings with which they are started again. */
  const apis: { program: Program; readonly settings: Readonly<Record<string, string>> }[] = [];

  beforeAll(async () => {
    if ("unavailable" in haproxy) return;
    const [second = 0, secondAdmin = 0, port = 0, admin = 0, health = 0] = await freePorts(5);
    stack = await startStack({
      postgresUrl: inject("postgresUrl"),
      processes: true,
      redisUrl: inject("redisUrl"),
      environment: {
        // As in docker-compose.yml.
        DRAIN_DELAY_SECONDS: "3",
        DRAIN_SECONDS: "10",
        TRUSTED_PROXIES: "127.0.0.1",
        GENERATIONS_PER_MINUTE: "100000",
        OTHER_REQUESTS_PER_MINUTE: "100000",
      },
    });
    account = await stack.createAccount("1000");
    const settings = { PORT: String(second), ADMIN_PORT: String(secondAdmin) };
    apis.push(
      { program: stack.api, settings: {} },
      { program: await stack.startApi(settings), settings },
    );
    const file = join(directory, "haproxy.cfg");
    const portOf = (address: string) => Number(new URL(address).port);
    const configuration = await configurationFor({
      apis: [portOf(stack.url), second],
      admins: [portOf(stack.adminUrl), secondAdmin],
      proxy: port,
      admin,
      health,
    });
    await writeFile(file, configuration);
    url = `http://127.0.0.1:${port}`;
    healthUrl = `http://127.0.0.1:${health}/ready`;
    proxy = await startServerProcess({
      name: "haproxy",
      command: haproxy.command,
      args: ["-db", "-f", file],
      directory,
      environment: haproxy.environment,
      isReady: async () => (await fetch(healthUrl).catch(() => null))?.status === 200,
      timeoutMs: 30_000,
    });
  }, 120_000);

  afterAll(async () => {
    await proxy?.stop();
    await stack?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const request = (method: string, path: string, body?: string, type = "application/json") =>
    fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${account.key}`, "Content-Type": type },
      ...(body === undefined ? {} : { body }),
    });

  const read = () => request("GET", "/v1/account");

  const post = () =>
    request(
      "POST",
      "/v1/generate/image",
      JSON.stringify({ model: "fake-blind", prompt: "a lighthouse" }),
    );

  /** Sends requests with several clients while `work` runs, and returns those that failed. */
  async function failuresDuring(
    clients: readonly (() => Promise<Response>)[],
    work: () => Promise<unknown>,
  ): Promise<{ readonly sent: number; readonly failed: readonly string[] }> {
    const load = startLoad(clients);
    try {
      await work();
    } finally {
      await load.stop();
    }
    return load;
  }

  /** Waits until the proxy sends requests to an API. */
  async function untilUsed(api: (typeof apis)[number]): Promise<void> {
    const before = await api.program.log();
    const requestsIn = (log: string) => log.split('"/v1/account').length;
    await vi.waitUntil(async () => requestsIn(await api.program.log()) > requestsIn(before), {
      timeout: 30_000,
      interval: 50,
    });
  }

  it("fails no read and no post when one API after another is restarted", async () => {
    const { sent, failed } = await failuresDuring([read, read, read, post, post], async () => {
      for (const api of apis) {
        expect(await api.program.stop()).toBe(0);
        api.program = await stack.startApi(api.settings);
        await untilUsed(api);
      }
    });
    expect(sent).toBeGreaterThan(50);
    expect(failed).toEqual([]);
  }, 120_000);

  it("fails no read when an API is killed", async () => {
    const [api] = apis;
    if (api === undefined) throw new Error("there are two APIs");
    const { sent, failed } = await failuresDuring([read, read, read], async () => {
      await api.program.kill();
      await delay(1_000);
      api.program = await stack.startApi(api.settings);
      await untilUsed(api);
    });
    // An API starts in less than a second, so the three clients send few.
    expect(sent).toBeGreaterThan(10);
    expect(failed).toEqual([]);
  }, 120_000);

  it("serves while no API answers its checks", async () => {
    // Both serve and fail their checks for DRAIN_DELAY_SECONDS.
    const stopped = apis.map((api) => api.program.stop());
    await vi.waitUntil(async () => (await fetch(healthUrl)).status !== 200, {
      timeout: 10_000,
      interval: 20,
    });
    expect((await read()).status).toBe(200);
    await Promise.all(stopped);
    for (const api of apis) api.program = await stack.startApi(api.settings);
    await vi.waitUntil(async () => (await fetch(healthUrl)).status === 200, { timeout: 30_000 });
  }, 60_000);

  it("passes events on when they occur", async () => {
    const events = await request("GET", "/v1/events");
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    let received = "";
    expect((await post()).status).toBe(200);
    while (!received.includes("job.completed")) received += (await reader?.read())?.value ?? "";
    await reader?.cancel();
  });

  it("passes a body on before it is complete", async () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    await once(socket, "connect");
    let answer = "";
    socket.on("data", (chunk) => (answer += String(chunk)));
    // Without a key: refused by the API before the body has arrived.
    socket.write(
      "POST /v1/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\nContent-Length: 10000000\r\n\r\nfirst bytes",
    );
    await vi.waitUntil(() => answer.startsWith("HTTP/1.1 401") && answer.includes("}"), {
      timeout: 10_000,
    });
    socket.destroy();
    expect(answer).toContain("unauthorized");
  });

  it("closes a connection that sent nothing without a response", async () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    let received = "";
    socket.on("data", (chunk) => (received += String(chunk)));
    await once(socket, "close");
    expect(received).toBe("");
  });

  it("counts requests without a valid key by the address of the client, not of the proxy", async () => {
    const statusFrom = async (address: string) =>
      (
        await fetch(`${url}/v1/account`, {
          headers: { Authorization: "Bearer wrong", "X-Forwarded-For": address },
        })
      ).status;
    // 127.0.0.1 is trusted here, so that the address before it counts.
    const statuses = [];
    for (let count = 0; count < 130; count++) statuses.push(await statusFrom("192.0.2.1"));
    expect(statuses.at(-1)).toBe(429);
    expect(await statusFrom("192.0.2.2")).toBe(401);
  });
});
