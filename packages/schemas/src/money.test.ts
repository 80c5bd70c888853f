import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatEur, parseEur } from "./money.ts";

describe("formatEur and parseEur", () => {
  it.each([
    [0n, "0.00"],
    [1n, "0.000001"],
    [40_000n, "0.04"],
    [9_962_500n, "9.9625"],
    [10_000_000n, "10.00"],
    [1_500_000n, "1.50"],
    [1_234_567_890_123_456_789n, "1234567890123.456789"],
    [-40_000n, "-0.04"],
    [-1_500_000n, "-1.50"],
  ])("formats %s micro-EUR as %s", (microEur, text) => {
    expect(formatEur(microEur)).toBe(text);
  });

  it.each([
    ["10", 10_000_000n],
    ["0.1", 100_000n],
    ["0.000001", 1n],
    ["007.50", 7_500_000n],
    ["999999999999.999999", 999_999_999_999_999_999n],
  ])("parses %s as %s micro-EUR", (text, microEur) => {
    expect(parseEur(text)).toBe(microEur);
  });

  it.each(["", " 1", "1 ", "-1", "+1", "1.", ".5", "1,5", "1e3", "0x10", "1.0000001", "١", "1\n"])(
    "rejects %j",
    (text) => {
      expect(() => parseEur(text)).toThrow(RangeError);
    },
  );

  it("writes 2 to 6 decimals and round-trips every amount", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 18n - 1n), (microEur) => {
        const text = formatEur(microEur);
        expect(text).toMatch(/^\d+\.\d{2,6}$/);
        expect(text).not.toMatch(/\.\d{2,}0$/);
        expect(parseEur(text)).toBe(microEur);
      }),
    );
  });
});
