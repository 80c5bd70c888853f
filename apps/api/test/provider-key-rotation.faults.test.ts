import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { startOpenAiServer, type ProtocolServer } from "@atelier/models/testing";
import { startLoad, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";

const oldKey = "sk-proj-old-provider-key-0123456789";
const newKey = "sk-proj-new-provider-key-0123456789";
const image = { model: "gpt-image-1-mini", prompt: "a lighthouse at dusk" };

let directory: string;
let provider: ProtocolServer;
/** A server in front of the provider, which knows the valid keys and records those that were sent. */
let gate: Server;
let validKeys: readonly string[] = [oldKey];
const sentKeys: string[] = [];
let stack: Stack;
let account: TestAccount;

/** Passes a request on to the provider if its key is valid. */
async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const key = request.headers.authorization?.replace("Bearer ", "") ?? "";
  sentKeys.push(key);
  const reply = await fetch(provider.url + request.url, {
    method: "POST",
    headers: {
      "Content-Type": request.headers["content-type"] ?? "",
      Authorization: `Bearer ${validKeys.includes(key) ? newKey : key}`,
    },
    body: new Uint8Array(await buffer(request)),
  });
  response.writeHead(reply.status, { "Content-Type": "application/json" });
  response.end(Buffer.from(await reply.arrayBuffer()));
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-provider-key-"));
  provider = await startOpenAiServer({ apiKey: newKey });
  gate = createServer((request, response) => void forward(request, response));
  await once(gate.listen(0, "127.0.0.1"), "listening");
  const { port } = gate.address() as AddressInfo;
  const providersFile = join(directory, "providers.json");
  const openai = { base_url: `http://127.0.0.1:${port}/v1`, circuit_breaker: false };
  await writeFile(providersFile, JSON.stringify({ providers: { openai } }));
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    workers: 2,
    workerEntry: "apps/worker/src/main.ts",
    environment: {
      PROVIDERS_FILE: providersFile,
      CATALOGUE_FILE: "",
      OPENAI_API_KEY: oldKey,
      GENERATIONS_PER_MINUTE: "100000",
    },
  });
  account = await stack.createAccount("1000");
}, 120_000);

afterAll(async () => {
  await stack?.stop();
  gate?.close();
  await provider?.close();
  await rm(directory, { recursive: true });
});

it("makes images without a failed request while the key of a provider is replaced", async () => {
  const order = () => stack.request(account, "POST", "/v1/generate/image", image);
  expect((await order()).status).toBe(200);
  expect(sentKeys).toEqual([oldKey]);

  const load = startLoad([order]);
  validKeys = [oldKey, newKey];
  for (const old of stack.workers.splice(0)) {
    await stack.startWorker({ ...stack.environment, OPENAI_API_KEY: newKey });
    expect(await old.stop()).toBe(0);
  }
  validKeys = [newKey];
  await load.stop();
  sentKeys.length = 0;
  expect((await order()).status).toBe(200);
  expect([load.failed, sentKeys]).toEqual([[], [newKey]]);
  expect(load.sent).toBeGreaterThan(0);
});
