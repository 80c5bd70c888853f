import { describe, expect, it } from "vitest";
import { createAccountMutex } from "./account-mutex.ts";

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
