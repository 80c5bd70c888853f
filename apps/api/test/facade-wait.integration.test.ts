import { request } from "node:http";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { holdCalls } from "./support/hold-calls.ts";

const image = { model: "fake-blind", prompt: "a lighthouse at dusk", response_format: "b64_json" };

let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      MAX_WAIT_SECONDS: "0.2",
      FACADE_MAX_WAIT_SECONDS: "60",
      PROVIDER_TIMEOUT_SECONDS: "5",
    },
  });
});

afterAll(() => stack.stop());

beforeEach(async () => {
  account = await stack.createAccount();
});

/** Sends a request of OpenAI's clients, and counts the bytes of the response as they arrive. */
function generate() {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>();
  const received = { bytes: 0 };
  const headers = {
    Authorization: `Bearer ${account.key}`,
    "Content-Type": "application/json",
    Connection: "close",
  };
  const sent = request(`${stack.url}/v1/images/generations`, { method: "POST", headers });
  sent.on("error", reject);
  sent.on("socket", (socket) => {
    socket.on("data", (chunk: Buffer) => (received.bytes += chunk.byteLength));
  });
  sent.on("response", (response) => {
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => (text += chunk));
    response.on("end", () => {
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
    });
  });
  sent.end(JSON.stringify(image));
  return { answer: promise, received };
}

async function balance(): Promise<unknown> {
  const response = await stack.request(account, "GET", "/v1/account");
  return response.json();
}

it("waits for an image for FACADE_MAX_WAIT_SECONDS, longer than other requests, and sends nothing before it", async () => {
  const held = holdCalls(stack.provider);
  const { answer, received } = generate();
  await held.called;
  // Its wait begins later and ends earlier.
  const native = await stack.request(account, "POST", "/v1/generate/image", {
    model: "fake-resumable",
    prompt: "a lighthouse at dusk",
  });
  expect(native.status).toBe(202);
  expect(received.bytes).toBe(0);
  held.release();
  expect(await answer).toMatchObject({ status: 200, body: { data: [{}] } });
});

it("answers 502 when the vendor never answers: one call is paid and nothing is charged", async () => {
  stack.provider.behave(() => ({ kind: "hang" }));
  const before = stack.provider.calls.length;
  expect(await generate().answer).toMatchObject({
    status: 502,
    body: { error: { code: "provider_error" } },
  });
  expect(stack.provider.calls.length - before).toBe(1);
  expect(await balance()).toMatchObject({ balance_eur: "10.00", held_eur: "0.00" });
});
