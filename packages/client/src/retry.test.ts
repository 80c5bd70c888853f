import { describe, expect, it } from "vitest";
import { pauseBeforeRetryMs, readRetryAfter } from "./retry.ts";

describe("pauseBeforeRetryMs", () => {
  it("is never shorter than Retry-After", () => {
    for (const random of [0, 0.5, 1]) {
      expect(pauseBeforeRetryMs(3, 2_000, random)).toBeGreaterThanOrEqual(2_000);
      expect(pauseBeforeRetryMs(0, 0, random)).toBe(0);
    }
  });

  it("doubles with each retry, up to eight seconds, without Retry-After", () => {
    const longest = [0, 1, 2, 3, 4, 5, 50].map((retries) => pauseBeforeRetryMs(retries, null, 1));
    expect(longest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  it("adds jitter", () => {
    expect(pauseBeforeRetryMs(2, null, 0)).toBe(0);
    expect(pauseBeforeRetryMs(2, null, 0.25)).toBe(500);
    expect(pauseBeforeRetryMs(2, 10_000, 1)).toBe(11_000);
  });
});

describe("readRetryAfter", () => {
  const now = Date.UTC(2026, 10, 21, 12, 0, 0);

  it.each([
    ["seconds", "7", 7_000],
    ["zero", "0", 0],
    ["a date", "Sat, 21 Nov 2026 12:00:05 GMT", 5_000],
    ["a past date", "Sat, 21 Nov 2026 11:00:00 GMT", 0],
    ["an invalid value", "soon", null],
    ["a missing header", null, null],
  ])("parses %s", (_, header, expected) => {
    expect(readRetryAfter(header, now)).toBe(expected);
  });
});
