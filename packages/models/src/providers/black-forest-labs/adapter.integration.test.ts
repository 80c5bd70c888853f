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
