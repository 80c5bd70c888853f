import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAccountGate, createAccountMutex } from "./account-gate.ts";

/** Work that runs until it is ended. */
function startWork() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const state = { isRunning: false };
  return {
    state,
    end: () => resolve("done"),
    work: () => {
      state.isRunning = true;
      return promise;
    },
  };
}

const limits = { maxRunning: 2, maxWaiting: 2, maxWaitMs: 1_000 };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("an account gate", () => {
  it("runs a few statements of an account at once, and the rest in order", async () => {
    const gate = createAccountGate(limits);
    const all = Array.from({ length: 4 }, startWork);
    const results = all.map(({ work }) => gate.run("a", work));
    const running = () => all.map(({ state }) => state.isRunning);
    expect(running()).toEqual([true, true, false, false]);
    all[1]?.end();
    await results[1];
    await vi.waitFor(() => expect(running()).toEqual([true, true, true, false]));
    for (const { end } of all) end();
    expect(await Promise.all(results)).toEqual(["done", "done", "done", "done"]);
  });

  it("does not make an account wait for another one", async () => {
    const gate = createAccountGate(limits);
    const busy = Array.from({ length: 4 }, startWork);
    const results = busy.map(({ work }) => gate.run("a", work));
    const other = startWork();
    other.end();
    expect(await gate.run("b", other.work)).toBe("done");
    for (const { end } of busy) end();
    await Promise.all(results);
  });

  it("refuses with 503 what exceeds its waiting places, and what waited too long", async () => {
    const gate = createAccountGate(limits);
    const all = Array.from({ length: 4 }, startWork);
    const results = all.map(({ work }) => gate.run("a", work));
    await expect(gate.run("a", startWork().work)).rejects.toMatchObject({ code: "overloaded" });
    const refused = Promise.allSettled(results.slice(2));
    vi.advanceTimersByTime(1_000);
    expect((await refused).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    for (const { end } of all) end();
    expect(await Promise.all(results.slice(0, 2))).toEqual(["done", "done"]);
    expect(all.map(({ state }) => state.isRunning)).toEqual([true, true, false, false]);
    const later = startWork();
    later.end();
    expect(await gate.run("a", later.work)).toBe("done");
  });

  it("frees its place when the work fails", async () => {
    const gate = createAccountGate({ ...limits, maxRunning: 1, maxWaiting: 0 });
    const fail = () => Promise.reject(new Error("no"));
    await expect(gate.run("a", fail)).rejects.toThrow("no");
    await expect(gate.run("a", fail)).rejects.toThrow("no");
  });
});

describe("an account mutex", () => {
  it("runs the work of one account sequentially, and that of several accounts concurrently", async () => {
    const mutex = createAccountMutex(5);
    const running = new Map<string, number>();
    const maxRunning = new Map<string, number>();
    const work = (accountId: string) =>
      mutex.run(accountId, async () => {
        const now = (running.get(accountId) ?? 0) + 1;
        running.set(accountId, now);
        maxRunning.set(accountId, Math.max(now, maxRunning.get(accountId) ?? 0));
        expect(running.get("b") ?? 0).toBeLessThanOrEqual(1);
        await Promise.resolve();
        running.set(accountId, now - 1);
        return accountId;
      });
    expect(await Promise.all(["a", "a", "b", "a", "b"].map(work))).toEqual([
      "a",
      "a",
      "b",
      "a",
      "b",
    ]);
    expect(maxRunning).toEqual(
      new Map([
        ["a", 1],
        ["b", 1],
      ]),
    );
  });

  it("refuses work while too much work of the account waits", async () => {
    const mutex = createAccountMutex(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const accepted = [mutex.run("a", () => promise), mutex.run("a", () => promise)];
    await expect(mutex.run("a", () => promise)).rejects.toMatchObject({ code: "rate_limited" });
    expect(await mutex.run("b", () => Promise.resolve(1))).toBe(1);
    resolve();
    await Promise.all(accepted);
    expect(await mutex.run("a", () => Promise.resolve(2))).toBe(2);
  });

  it("continues after failed work", async () => {
    const mutex = createAccountMutex(1);
    const failed = mutex.run("a", () => Promise.reject(new Error("broken")));
    const next = mutex.run("a", () => Promise.resolve(1));
    await expect(failed).rejects.toThrow("broken");
    expect(await next).toBe(1);
  });
});
