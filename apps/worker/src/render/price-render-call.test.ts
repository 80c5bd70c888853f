import { expect, it } from "vitest";
import { countsCost } from "./price-render-call.ts";

const none = {};
const stated = { cost: { micro: 42_000n, currency: "USD" } } as const;

it.each([
  ["a call that ended", false, none, none, true],
  ["a call that ended with a stated cost", false, none, stated, true],
  ["a call that may be resumed, without a stated cost", true, none, none, false],
  ["a call that may be resumed, when its cost is first stated", true, none, stated, true],
  ["a resumed call whose stated cost was counted, still open", true, stated, stated, false],
  ["a resumed call whose stated cost was counted, at its end", false, stated, stated, false],
] as const)("counts the cost of %s: %#", (_, isOpen, earlier, usage, counts) => {
  expect(countsCost(isOpen, earlier, usage)).toBe(counts);
});
