import { describe, expect, it } from "vitest";
import { explainPollStatus, explainStatus } from "./explain-status.ts";

const response = (status: number, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers,
  body: Buffer.alloc(0),
});

describe("mapping of HTTP statuses", () => {
  it.each([
    [200, "unknown"],
    [302, "unavailable"],
    [400, "invalid-request"],
    [401, "unavailable"],
    [402, "out-of-quota"],
    [403, "unavailable"],
    [404, "invalid-request"],
    [408, "unknown"],
    [422, "invalid-request"],
    [429, "rate-limited"],
    [500, "unavailable"],
    [502, "unavailable"],
    [503, "unavailable"],
    [504, "unknown"],
    [520, "unknown"],
    [521, "unavailable"],
    [524, "unknown"],
    [529, "unavailable"],
  ])("maps %i to %s for an image, and to unknown for a poll", (status, kind) => {
    expect(explainStatus(response(status), "why").outcome.kind).toBe(kind);
    // The status of a poll never ends the polled call.
    expect(explainPollStatus(response(status), "why").outcome.kind).toBe("unknown");
  });

  it("reads Retry-After", () => {
    const headers = { "retry-after": "2" };
    expect(explainStatus(response(429, headers), "").outcome).toEqual({
      kind: "rate-limited",
      retryAfterMs: 2_000,
    });
    expect(explainStatus(response(503, headers), "overloaded").outcome).toEqual({
      kind: "unavailable",
      message: "status 503: overloaded",
      retryAfterMs: 2_000,
    });
  });
});
