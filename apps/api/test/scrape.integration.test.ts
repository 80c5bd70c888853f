import { parseConfig } from "@atelier/configuration";
import { startTcpProxy, type TcpProxy } from "@atelier/local-services";
import { shareStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiConfig } from "../src/config.ts";
import { startApi, type RunningApi } from "../src/start-api.ts";

let stack: Stack;
let proxy: TcpProxy;
/** Connects to its database through the proxy. */
let api: RunningApi;

beforeAll(async () => {
  stack = await shareStack({ workers: 0 });
  proxy = await startTcpProxy(stack.environment["DATABASE_URL"] ?? "");
  const environment = {
    ...stack.environment,
    DATABASE_URL: proxy.url,
    PORT: "0",
    ADMIN_PORT: "0",
    LOG_LEVEL: "fatal",
  };
  api = await startApi(parseConfig(apiConfig, environment), { environment });
});

afterAll(async () => {
  proxy.setFault(null);
  await api.stop();
  await proxy.stop();
  await stack.stop();
});

async function scrape(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${api.adminPort}/metrics`, {
    headers: { Authorization: `Bearer ${stack.adminKey}` },
    // The default scrape timeout of Prometheus.
    signal: AbortSignal.timeout(10_000),
  });
  return response.text();
}

it("answers Prometheus in time while the database hangs", async () => {
  expect(await scrape()).toContain("atelier_database_up 1\n");
  proxy.setFault("hangs");
  await expect.poll(scrape).toContain("atelier_database_up 0\n");
});
