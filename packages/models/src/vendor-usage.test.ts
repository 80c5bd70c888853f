import { expect, it } from "vitest";
import { toVendorAmount } from "./vendor-usage.ts";

it.each([
  [0.04, 1, 40_000n],
  ["0.0000125", 1, 13n],
  [6.2, 0.01, 62_000n],
  [0, 1, 0n],
])("converts %s at a scale of %s to millionths", (amount, scale, micro) => {
  expect(toVendorAmount(amount, "USD", scale)).toEqual({ micro, currency: "USD" });
});

it.each([null, undefined, "", "free", -1, Number.NaN, Infinity, 2e9, {}])(
  "takes %s for no amount",
  (amount) => {
    expect(toVendorAmount(amount)).toBeNull();
  },
);
