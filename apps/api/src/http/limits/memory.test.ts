import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createMemory } from "./memory.ts";

const { signal } = new AbortController();

/** Reserves memory and records the name when it is granted. */
function recorder(limits: { total: number; perAccount: number }) {
  const memory = createMemory(limits);
  const granted: string[] = [];
  return {
    granted,
    ask: (name: string, accountId: string, bytes: number, until = signal) => {
      const reservation = memory.reserve(accountId, bytes, until);
      void reservation.then(
        () => granted.push(name),
        () => undefined,
      );
      return reservation;
    },
  };
}

describe("memory", () => {
  it("is granted at once while there is enough, and after a release otherwise", async () => {
    const { granted, ask } = recorder({ total: 10, perAccount: 10 });
    const release = await ask("first", "a", 8);
    void ask("second", "b", 4);
    await setImmediate();
    expect(granted).toEqual(["first"]);
    release();
    release();
    await setImmediate();
    expect(granted).toEqual(["first", "second"]);
  });

  it("of an account is limited without delaying another account", async () => {
    const { granted, ask } = recorder({ total: 20, perAccount: 5 });
    void ask("first", "a", 5);
    void ask("second", "a", 5);
    void ask("other", "b", 5);
    await setImmediate();
    expect(granted).toEqual(["first", "other"]);
  });

  it("is not taken by small pieces while a large one waits for it", async () => {
    const { granted, ask } = recorder({ total: 10, perAccount: 8 });
    const release = await ask("first", "a", 6);
    void ask("large", "b", 8);
    void ask("small", "c", 2);
    await setImmediate();
    expect(granted).toEqual(["first"]);
    release();
    await setImmediate();
    expect(granted).toEqual(["first", "large", "small"]);
  });

  it("is granted to a piece that is larger than the share of an account", async () => {
    const { granted, ask } = recorder({ total: 10, perAccount: 5 });
    await ask("huge", "a", 50);
    expect(granted).toEqual(["huge"]);
  });

  it("is not waited for after the signal aborts, which lets the next one start", async () => {
    const { granted, ask } = recorder({ total: 10, perAccount: 10 });
    await ask("first", "a", 6);
    const controller = new AbortController();
    const large = ask("large", "b", 8, controller.signal);
    void ask("small", "c", 2);
    controller.abort(new Error("disconnected"));
    await expect(large).rejects.toThrow("disconnected");
    await setImmediate();
    expect(granted).toEqual(["first", "small"]);
  });
});
