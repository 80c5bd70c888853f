import { describe, expect, it } from "vitest";
import { explainPollStatus, explainStatus } from "./explain-status.ts";

const answer = (status: number, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers,
  body: Buffer.alloc(0),
});

describe("what a status means", () => {
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
  ])("%i", (status, kind) => {
    expect(explainStatus(answer(status), "why").outcome.kind).toBe(kind);
    // A question about a call that goes on ends nothing, whatever is answered.
    expect(explainPollStatus(answer(status), "why").outcome.kind).toBe("unknown");
  });

  it("says when to come back", () => {
    const headers = { "retry-after": "2" };
    expect(explainStatus(answer(429, headers), "").outcome).toEqual({
      kind: "rate-limited",
      retryAfterMs: 2_000,
    });
    expect(explainStatus(answer(503, headers), "overloaded").outcome).toEqual({
      kind: "unavailable",
      message: "status 503: overloaded",
      retryAfterMs: 2_000,
    });
  });
});
