import { describe, expect, it } from "vitest";
import { summarise, trackService, type Backlog } from "./lane-load.ts";

const lane = "lane";
const busy = "busy";
const other = "other";

function backlog(facts: Partial<Backlog>): Backlog {
  const withoutTimes = { oldestAt: null, lastClaimAt: null };
  return { lane, accountId: busy, waiting: 1, running: 0, now: 1_000, ...withoutTimes, ...facts };
}

/** The load after several readings. */
function read(...readings: readonly (readonly Backlog[])[]) {
  return summarise(readings.reduce(trackService, []));
}

describe("the wait in a lane", () => {
  it("is zero when nothing waits", () => {
    expect(read()(lane, busy)).toEqual({ waiting: 0, waitSeconds: 0 });
  });

  it("is the time since the account was last served", () => {
    const load = read([backlog({ oldestAt: 700 })]);
    expect(load(lane, busy)).toEqual({ waiting: 1, waitSeconds: 300 });
    expect(load(lane, other)).toEqual({ waiting: 1, waitSeconds: 300 });
    expect(load("another lane", other)).toEqual({ waiting: 0, waitSeconds: 0 });
  });

  it("counts from when an account with an old backlog was last served", () => {
    const load = read([backlog({ waiting: 9, oldestAt: 100, lastClaimAt: 990 })]);
    expect(load(lane, other)).toEqual({ waiting: 9, waitSeconds: 10 });
    expect(load(lane, busy)).toEqual({ waiting: 9, waitSeconds: 900 });
  });

  it("counts a changed oldest render as served", () => {
    const load = read(
      [backlog({ now: 1_000, oldestAt: 100 })],
      [backlog({ now: 1_005, oldestAt: 110 })],
      [backlog({ now: 1_010, oldestAt: 110 })],
    );
    expect(load(lane, other).waitSeconds).toBe(5);
    expect(load(lane, busy).waitSeconds).toBe(900);
  });

  it("is the maximum over all accounts", () => {
    const load = read([
      backlog({ oldestAt: 100, lastClaimAt: 999 }),
      backlog({ accountId: "starved", oldestAt: 800 }),
    ]);
    expect(load(lane, other)).toEqual({ waiting: 2, waitSeconds: 200 });
  });

  it("ignores renders that retry or wait for other renders of their story", () => {
    expect(read([backlog({ oldestAt: null })])(lane, other).waitSeconds).toBe(0);
  });
});
