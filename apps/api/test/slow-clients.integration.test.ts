import { once } from "node:events";
import { connect } from "node:net";
import { parseConfig } from "@atelier/configuration";
import { shareStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { apiConfig } from "../src/config.ts";
import { startApi, type RunningApi } from "../src/start-api.ts";
import { createClient, type Client } from "./support/client.ts";
import { openConnection } from "./support/connection.ts";

let stack: Stack;
let api: RunningApi;
let url: string;
let client: Client;

beforeAll(async () => {
  stack = await shareStack({ workers: 0 });
  client = await createClient(stack);
  const environment = { ...stack.environment, PORT: "0", ADMIN_PORT: "0", LOG_LEVEL: "fatal" };
  api = await startApi(parseConfig(apiConfig, environment), {
    environment,
    // The production limits, scaled down in time.
    timeouts: {
      headersTimeout: 200,
      requestTimeout: 400,
      connectionsCheckingInterval: 50,
      timeout: 600,
    },
  });
  url = `http://127.0.0.1:${api.port}`;
});

afterAll(async () => {
  await api.stop();
  await stack.stop();
});

describe("a client that is slow to send", () => {
  it.each([
    ["its headers", "GET /v1/models HTTP/1.1\r\nHost: atelier\r\n"],
    [
      "its body",
      "POST /v1/generate/image HTTP/1.1\r\nHost: atelier\r\nContent-Length: 99\r\n\r\n{",
    ],
  ])("%s receives an error and is disconnected", async (_what, beginning) => {
    const connection = await openConnection(url);
    const key = client.account.key;
    connection.send(
      beginning.replace("Host", `X-API-Key: ${key}\r\nContent-Type: application/json\r\nHost`),
    );
    const answer = await connection.answer();
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: "invalid_request",
      message: "The request was not complete in time. Send it again.",
    });
    await connection.closed;
  });

  it("is counted as a refused request", async () => {
    const connection = await openConnection(url);
    connection.send(
      "POST /v1/generate/story HTTP/1.1\r\nHost: atelier\r\n" +
        `X-API-Key: ${client.account.key}\r\nContent-Type: application/json\r\n` +
        "Content-Length: 99\r\n\r\n{",
    );
    expect((await connection.answer()).status).toBe(400);
    const counted = await vi.waitFor(async () => {
      const response = await fetch(`http://127.0.0.1:${api.adminPort}/metrics`, {
        headers: { Authorization: `Bearer ${stack.adminKey}` },
      });
      const lines = (await response.text()).split("\n");
      const found = lines.filter((line) => line.startsWith("atelier_http_requests_total"));
      expect(found.join("\n")).toContain("/v1/generate/story");
      return found.filter((line) => /story|unmatched/.test(line));
    });
    expect(counted).toEqual([
      expect.stringMatching(/{method="other",route="unmatched",status="400"} [1-9]/),
      'atelier_http_requests_total{method="POST",route="/v1/generate/story",status="none"} 1',
    ]);
  });

  it("is disconnected without an error if it sent nothing", async () => {
    const connection = await openConnection(url);
    await expect(connection.answer()).rejects.toThrow("closed without an answer");
  });

  it("does not delay other clients", async () => {
    const slow = await openConnection(url);
    slow.send("GET /v1/models HTTP/1.1\r\n");
    const headers = { Authorization: `Bearer ${client.account.key}` };
    expect((await fetch(`${url}/v1/models`, { headers })).status).toBe(200);
    slow.end();
  });
});

it("a client that does not read responses is disconnected", async () => {
  const socket = connect(api.port, "127.0.0.1");
  const reset = once(socket, "close").catch((error: NodeJS.ErrnoException) => error.code);
  // Fills all buffers and keeps writing, since only a writer notices the disconnect.
  const writing = setInterval(() => {
    socket.write("GET /openapi.json HTTP/1.1\r\nHost: atelier\r\n\r\n".repeat(100));
  }, 20);
  expect(await reset).toMatch(/^(ECONNRESET|EPIPE)$/);
  clearInterval(writing);
});
