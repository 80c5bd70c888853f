import { expect, it } from "vitest";
import { createBodyBudget } from "./body-budget.ts";

const large = 1_000_000;
const overloaded = expect.objectContaining({ code: "overloaded", retryAfterMs: 1_000 });

it("refuses an account at its limit of concurrent large bodies, and no other account", () => {
  const budget = createBodyBudget({ total: 4 * large, perAccount: 2 * large });
  const [release] = [budget.reserve("a", large), budget.reserve("a", large)];
  expect(() => budget.reserve("a", large)).toThrow(overloaded);
  budget.reserve("b", large);
  release();
  expect(() => budget.reserve("a", large)).not.toThrow();
});

it("refuses every account while the memory for large bodies is used up", () => {
  const budget = createBodyBudget({ total: 2 * large, perAccount: large });
  const release = budget.reserve("a", large);
  budget.reserve("b", large);
  expect(() => budget.reserve("c", large)).toThrow(overloaded);
  release();
  expect(() => budget.reserve("c", large)).not.toThrow();
});

it("does not count small bodies", () => {
  const budget = createBodyBudget({ total: 0, perAccount: 0 });
  expect(() => budget.reserve("a", 65_536)).not.toThrow();
});
