import { createServer } from "node:net";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import type { Provider } from "../../provider.ts";
import { automatic1111Contract } from "../automatic1111/contract.ts";
import { comfyUiContract } from "../comfyui/contract.ts";
import { openAiCompatibleContracts } from "../openai-compatible/contract.ts";
import { sdcppContract } from "../sdcpp/contract.ts";
import { callAdapter } from "./call-adapter.ts";
import type { ProviderContract } from "./contract/provider-contract.ts";
import type { ProtocolServer } from "./protocol-server.ts";

const contracts = [
  automatic1111Contract,
  comfyUiContract,
  sdcppContract,
  ...openAiCompatibleContracts,
];
const { signal } = new AbortController();
const servers: ProtocolServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(contract: ProviderContract): Promise<[ProtocolServer, Provider]> {
  const server = await contract.start();
  servers.push(server);
  const apiKey = contract.apiKey ?? "";
  return [server, contract.create({ url: server.url, apiKey, limits: {} })];
}

describe.each(contracts.map((contract) => [contract.name, contract] as const))(
  "the check of %s",
  (_, contract) => {
    it("finds a server that works, without ordering an image", async () => {
      const [server, provider] = await start(contract);
      expect(await provider.check?.(signal)).toMatchObject({ kind: "ok" });
      expect(server.calls.map(({ paid, method }) => [paid, method])).toEqual([[false, "GET"]]);
    });

    it("finds a server that is gone", async () => {
      const [server, provider] = await start(contract);
      await server.close();
      servers.splice(0);
      expect(await provider.check?.(signal)).toEqual({
        kind: "gone",
        message: "connection failed: ECONNREFUSED",
      });
    });

    it("finds a server that ends while it is asked", async () => {
      const ending = createServer((socket) => {
        ending.close();
        socket.destroy();
      });
      ending.listen(0, "127.0.0.1");
      await once(ending, "listening");
      const { port } = ending.address() as { port: number };
      const apiKey = contract.apiKey ?? "";
      const provider = contract.create({ url: `http://127.0.0.1:${port}`, apiKey, limits: {} });
      expect(await provider.check?.(signal)).toMatchObject({ kind: "gone" });
    });

    it("finds a server that accepts connections and does not answer", async () => {
      const silent = createServer((socket) => socket.destroy());
      silent.listen(0, "127.0.0.1");
      await once(silent, "listening");
      const { port } = silent.address() as { port: number };
      const apiKey = contract.apiKey ?? "";
      const provider = contract.create({ url: `http://127.0.0.1:${port}`, apiKey, limits: {} });
      expect(await provider.check?.(signal)).toMatchObject({ kind: "silent" });
      silent.close();
      await once(silent, "close");
    });
  },
);

it.each([
  // A label of more than 63 characters fails without a request to a DNS server.
  ["whose name cannot be resolved", `http://${"x".repeat(64)}.example:1`, signal],
  ["that the check did not reach in time", "http://127.0.0.1:1", AbortSignal.abort()],
])("does not take a server for gone %s", async (_, url, until) => {
  const provider = comfyUiContract.create({ url, apiKey: "", limits: {} });
  expect(await provider.check?.(until)).toMatchObject({ kind: "silent" });
});

it("finds a server that fails", async () => {
  const [server, provider] = await start(comfyUiContract);
  server.behave({ kind: "server-error", status: 500, at: "poll" });
  expect(await provider.check?.(signal)).toEqual({ kind: "silent", message: "status 500" });
});

it("counts the jobs in ComfyUI's queue, of all its clients", async () => {
  const [server, provider] = await start(comfyUiContract);
  expect(await provider.check?.(signal)).toEqual({ kind: "ok", jobs: 0 });
  server.behave({ kind: "slow-poll", polls: 1_000_000 });
  const leaving = new AbortController();
  const call = callAdapter(provider, comfyUiContract.request, { signal: leaving.signal });
  await expect.poll(() => provider.check?.(signal)).toEqual({ kind: "ok", jobs: 1 });
  leaving.abort();
  await call;
});
