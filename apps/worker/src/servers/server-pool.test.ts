import type { ProviderSettings, ProviderTools, ServerSettings } from "@atelier/models";
import { expect, it } from "vitest";
import { createServerPool } from "./server-pool.ts";

const tools = {} as ProviderTools;

function settingsWith(servers: readonly ServerSettings[]): ProviderSettings {
  return {
    name: "gpus",
    kind: "sdcpp",
    apiKey: null,
    baseUrl: null,
    servers,
  } as unknown as ProviderSettings;
}

const named: ServerSettings = {
  url: "http://gpus.internal:1234/sd",
  isEveryAddress: true,
  weight: 2,
  concurrency: 3,
  tags: ["24gb"],
};
const plain: ServerSettings = { ...named, url: "http://10.0.0.5:1234", isEveryAddress: false };

async function openPool(addresses: () => Promise<readonly string[]>) {
  const errors: unknown[] = [];
  const pool = await createServerPool(settingsWith([plain, named]), tools, {
    onError: (error) => errors.push(error),
    resolveName: addresses,
  });
  return { pool, errors, urls: () => pool.servers().map(({ url }) => url) };
}

it("has each address of a host name as a server, with the settings of the name", async () => {
  const { pool, urls } = await openPool(() => Promise.resolve(["10.1.0.1", "[fd00::2]"]));
  expect(urls()).toEqual([plain.url, "http://10.1.0.1:1234/sd", "http://[fd00::2]:1234/sd"]);
  const { provider, weight, concurrency, tags } = pool.find("http://10.1.0.1:1234/sd") ?? {};
  expect({ weight, concurrency, tags }).toEqual({ weight: 2, concurrency: 3, tags: ["24gb"] });
  expect(provider?.name).toBe("gpus");
});

it("adds addresses that appear and drops those that disappear", async () => {
  let addresses = ["10.1.0.1"];
  const { pool, urls } = await openPool(() => Promise.resolve(addresses));
  const before = pool.find("http://10.1.0.1:1234/sd");
  addresses = ["10.1.0.2", "10.1.0.1"];
  await pool.resolve();
  expect(urls().toSorted()).toEqual(
    [plain.url, "http://10.1.0.1:1234/sd", "http://10.1.0.2:1234/sd"].toSorted(),
  );
  expect(pool.find("http://10.1.0.1:1234/sd")).toBe(before);
  addresses = ["10.1.0.2"];
  await pool.resolve();
  expect(urls()).toEqual([plain.url, "http://10.1.0.2:1234/sd"]);
});

it("keeps its servers while the name cannot be resolved, also at the start", async () => {
  let outcome: () => Promise<readonly string[]> = () => Promise.reject(new Error("SERVFAIL"));
  const { errors, pool, urls } = await openPool(() => outcome());
  expect(urls()).toEqual([plain.url]);
  outcome = () => Promise.resolve(["10.1.0.1"]);
  await pool.resolve();
  outcome = () => Promise.reject(new Error("SERVFAIL"));
  await pool.resolve();
  expect(urls()).toEqual([plain.url, "http://10.1.0.1:1234/sd"]);
  expect(errors).toHaveLength(2);
});

it("ends the calls to a server that is gone, and not those that begin afterwards", async () => {
  const { pool } = await openPool(() => Promise.resolve([]));
  const before = pool.find(plain.url)?.gone;
  pool.endCalls(plain.url);
  expect(before).toMatchObject({ aborted: true, reason: { name: "Error" } });
  expect(pool.find(plain.url)?.gone.aborted).toBe(false);
});
