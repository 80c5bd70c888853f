import { describe, expect, it } from "vitest";
import { parseRetryAfter } from "./retry-after.ts";

describe("Retry-After", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");

  it.each([
    ["7", 7_000],
    ["0", 0],
    ["0.25", 250],
    [" 30 ", 30_000],
    ["Sat, 21 Nov 2026 12:01:30 GMT", 90_000],
    // A time in the past means zero.
    ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
    // Delays are capped at one hour, in case the server's clock is wrong.
    ["86400000", 3_600_000],
    ["Sat, 21 Nov 2099 12:00:00 GMT", 3_600_000],
    ["soon", null],
    ["", null],
    ["-5 apples", null],
  ])("parses %s", (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });

  it("is null without a header", () => {
    expect(parseRetryAfter(undefined, now)).toBeNull();
  });
});
