import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createPresentationQueue } from "./present-events.ts";

describe("the presentation queue", () => {
  it("runs one call at a time and takes the accounts in turn", async () => {
    const queue = createPresentationQueue();
    const started: string[] = [];
    let running = 0;
    const call = (accountId: string, name: string) =>
      queue.run(accountId, async () => {
        started.push(name);
        running += 1;
        expect(running).toBe(1);
        await setImmediate();
        running -= 1;
      });
    await Promise.all([
      call("hostile", "hostile 1"),
      call("hostile", "hostile 2"),
      call("hostile", "hostile 3"),
      call("other", "other 1"),
      call("other", "other 2"),
    ]);
    expect(started).toEqual(["hostile 1", "other 1", "hostile 2", "other 2", "hostile 3"]);
  });

  it("goes on after a call that fails", async () => {
    const queue = createPresentationQueue();
    const failing = queue.run("account", () => Promise.reject(new Error("no database")));
    const next = queue.run("account", () => Promise.resolve("presented"));
    await expect(failing).rejects.toThrow("no database");
    await expect(next).resolves.toBe("presented");
  });
});
