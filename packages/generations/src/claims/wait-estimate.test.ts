import { describe, expect, it } from "vitest";
import { estimateWaitSeconds } from "./wait-estimate.ts";

const own = "own";

function estimate(
  backlogs: readonly (readonly [accountId: string, waiting: number, running: number])[],
  ownAhead: number | null,
  renderSeconds: number | null = 10,
) {
  return estimateWaitSeconds({
    backlogs: backlogs.map(([accountId, waiting, running]) => ({ accountId, waiting, running })),
    accountId: own,
    ownAhead,
    renderSeconds,
  });
}

describe("the estimated wait", () => {
  it("is zero while nothing waits", () => {
    expect(estimate([], null)).toBe(0);
    expect(estimate([["other", 0, 4]], null, null)).toBe(0);
    expect(estimate([["other", 0, 4]], 0, null)).toBe(0);
  });

  it("is the time until the lane has started what is before it, and one more", () => {
    expect(estimate([[own, 3, 2]], 0)).toBe(5);
    expect(estimate([[own, 3, 2]], 2)).toBe(15);
    expect(estimate([[own, 3, 2]], null)).toBe(20);
  });

  it("counts as many renders of another account as its own, because accounts take turns", () => {
    const busy = [
      ["other", 1_000, 1],
      [own, 2, 1],
    ] as const;
    expect(estimate(busy, 0)).toBe(10);
    expect(estimate(busy, 1)).toBe(20);
    expect(estimate([["other", 1_000, 2]], null)).toBe(10);
    expect(estimate([["other", 1, 2]], 5)).toBe(35);
    expect(estimate([["other", 0, 2]], 5)).toBe(30);
  });

  it("is unknown when nothing is in progress, or no render was finished lately", () => {
    expect(estimate([[own, 1, 0]], 0)).toBeNull();
    expect(estimate([[own, 1, 1]], 0, null)).toBeNull();
  });
});
