import { createBlackForestLabsProvider } from "./black-forest-labs.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { callAdapter } from "../testing/call-adapter.ts";
import { fetchPlainly } from "../testing/fetch-plainly.ts";
import type { ProtocolServer } from "../testing/protocol-server.ts";
import { startBlackForestLabsServer } from "./server.ts";

const apiKey = "bfl_0123456789abcdef0123456789abcdef";

describe("a job unknown to the provider right after submission", () => {
  let server: ProtocolServer;

  beforeAll(async () => {
    server = await startBlackForestLabsServer({ apiKey });
  });
  beforeEach(() => server.behave({ kind: "lost-job" }));
  afterAll(() => server.close());

  const order = (pollIntervalMs: number) =>
    callAdapter(
      createBlackForestLabsProvider({
        apiKey,
        baseUrl: server.url,
        fetchResult: fetchPlainly,
        pollIntervalMs,
      }),
      { model: "flux-2-pro" },
    );
  const polls = () => server.calls.filter(({ method }) => method === "GET");

  it("is polled again, and its image is used", async () => {
    const outcome = order(50);
    await vi.waitUntil(() => polls().length > 0);
    server.behave(null);
    expect((await outcome).kind).toBe("image");
  });

  it("is treated as possibly charged when it stays unknown", async () => {
    expect((await order(1)).kind).toBe("unknown");
  });
});

describe("the cost of a job", () => {
  let server: ProtocolServer;

  beforeAll(async () => {
    server = await startBlackForestLabsServer({ apiKey });
  });
  beforeEach(() => server.behave(null));
  afterAll(() => server.close());

  async function costsOf(): Promise<readonly unknown[]> {
    const costs: unknown[] = [];
    const options = { apiKey, baseUrl: server.url, fetchResult: fetchPlainly, pollIntervalMs: 1 };
    await callAdapter(
      createBlackForestLabsProvider(options),
      { model: "flux-2-pro" },
      { onUsage: ({ cost }) => cost !== undefined && costs.push(cost) },
    );
    return costs;
  }

  it("is read from the response to the submission, in credits of one cent", async () => {
    expect(await costsOf()).toEqual([{ micro: 30_000n, currency: "USD" }]);
  });

  it("is 0 for a moderated request", async () => {
    server.behave({ kind: "refusal", shape: "request" });
    expect((await costsOf()).at(-1)).toEqual({ micro: 0n, currency: "USD" });
  });
});
