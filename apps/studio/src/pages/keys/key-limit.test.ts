import { expect, it } from "vitest";
import { limitOf, nextPeriodOf, stateOf } from "./key-limit.ts";

const budget = { eur: "5.00", period: "month" } as const;

it("a key without a budget can spend the balance", () => {
  expect(limitOf({ budget: null, spent_eur: "1.00" }, "9.78")).toEqual({
    availableEur: 9.78,
    binding: "balance",
  });
});

it.each([
  ["4.90", "9.00", 0.1, "budget"],
  ["1.00", "4.000000", 4, "budget"],
  ["1.00", "3.999999", 3.999999, "balance"],
  ["5.00", "9.00", 0, "budget"],
  ["6.00", "9.00", 0, "budget"],
  ["0.00", "0.00", 0, "balance"],
])(
  "with %s of 5.00 spent and a balance of %s, %d is left: the %s",
  (spent_eur, balance, ...limit) => {
    const [availableEur, binding] = limit;
    expect(limitOf({ budget, spent_eur }, balance)).toEqual({ availableEur, binding });
  },
);

it.each([
  ["0.60", 0.4, "shared"],
  ["0.95", 0.05, "shared"],
  ["0.20", 0.5, "budget"],
  ["0.50", 0.5, "budget"],
])("with 4.50 of 5.00 spent and %s of a shared 1.00, %d is left: the %s", (spent, ...limit) => {
  const [availableEur, binding] = limit;
  const shared = { eur: "1.00", spent_eur: spent };
  expect(limitOf({ budget, spent_eur: "4.50" }, "9.00", shared)).toEqual({ availableEur, binding });
});

it("a key expires at its time, and stays revoked", () => {
  const expires_at = "2026-11-23T12:00:00Z";
  const time = Date.parse(expires_at);
  expect(stateOf({ revoked_at: null, expires_at }, time - 1)).toBe("live");
  expect(stateOf({ revoked_at: null, expires_at }, time)).toBe("expired");
  expect(stateOf({ revoked_at: expires_at, expires_at: null }, time)).toBe("revoked");
});

it("a budget starts again at midnight UTC: each day, each month or never", () => {
  const now = Date.parse("2026-12-31T23:30:00Z");
  const next = (period: "day" | "month" | "total") =>
    nextPeriodOf({ budget: { eur: "5.00", period } }, now);
  expect(next("day")).toBe("2027-01-01T00:00:00.000Z");
  expect(next("month")).toBe("2027-01-01T00:00:00.000Z");
  expect(next("total")).toBeNull();
});
