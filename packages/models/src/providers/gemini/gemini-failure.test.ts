import { describe, expect, it } from "vitest";
import { explainGeminiFailure } from "./gemini-failure.ts";

const type = (name: string) => `type.googleapis.com/google.rpc.${name}`;

function outcomeOf(
  code: number,
  status: string,
  message: string,
  details?: readonly object[],
  headers: Readonly<Record<string, string>> = {},
) {
  const error = { code, message, status, ...(details === undefined ? {} : { details }) };
  const body = Buffer.from(JSON.stringify({ error }));
  return explainGeminiFailure({ status: code, headers, body }).outcome;
}

const quotaOf = (quotaId: string) => ({
  "@type": type("QuotaFailure"),
  violations: [{ quotaMetric: "requests", quotaId }],
});

describe("mapping of Gemini's errors", () => {
  it.each([
    ["38s", 38_000],
    ["58.934310785s", 58_935],
    ["0s", 0],
  ])("maps a rate limit with the retry delay %s", (retryDelay, retryAfterMs) => {
    const details = [
      quotaOf("GenerateRequestsPerMinutePerProjectPerModel"),
      { "@type": type("RetryInfo"), retryDelay },
    ];
    expect(outcomeOf(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", details)).toEqual({
      kind: "rate-limited",
      retryAfterMs,
    });
  });

  it("maps a rate limit with or without Retry-After", () => {
    const headers = { "retry-after": "5" };
    expect(outcomeOf(429, "RESOURCE_EXHAUSTED", "Exhausted.", undefined, headers)).toEqual({
      kind: "rate-limited",
      retryAfterMs: 5_000,
    });
    expect(outcomeOf(429, "RESOURCE_EXHAUSTED", "Exhausted.")).toEqual({
      kind: "rate-limited",
      retryAfterMs: null,
    });
  });

  it.each([
    ["Your prepayment credits are depleted.", []],
    ["Your project has exceeded its spending cap.", []],
    [
      "You exceeded your current quota.",
      [quotaOf("GenerateRequestsPerDayPerProjectPerModel-FreeTier")],
    ],
  ])("maps an exhausted balance to out-of-quota: %s", (message, details) => {
    expect(outcomeOf(429, "RESOURCE_EXHAUSTED", message, details).kind).toBe("out-of-quota");
  });

  it.each([
    [400, "INVALID_ARGUMENT", [], "invalid-request"],
    [
      400,
      "INVALID_ARGUMENT",
      [{ "@type": type("ErrorInfo"), reason: "API_KEY_INVALID" }],
      "unavailable",
    ],
    [400, "FAILED_PRECONDITION", [], "unavailable"],
    [403, "PERMISSION_DENIED", [], "unavailable"],
    [404, "NOT_FOUND", [], "invalid-request"],
    [500, "INTERNAL", [], "unavailable"],
    [503, "UNAVAILABLE", [], "unavailable"],
    [504, "DEADLINE_EXCEEDED", [], "unknown"],
  ])("maps %i %s", (code, status, details, kind) => {
    expect(outcomeOf(code, status, "why", details).kind).toBe(kind);
  });

  it("maps an error in another format", () => {
    const page = { status: 502, headers: {}, body: Buffer.from("<html>") };
    expect(explainGeminiFailure(page).outcome.kind).toBe("unavailable");
  });
});
