import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createBodyMemory, createShares } from "./shares.ts";

const { signal } = new AbortController();

/** Waits for units and records the name when they are granted. */
function recorder(limits: { total: number; perAccount: number }) {
  const shares = createShares(limits);
  const granted: string[] = [];
  return {
    granted,
    ask: (name: string, accountId: string, units: number, until = signal) => {
      const place = shares.wait(accountId, units, until);
      void place.then(
        () => granted.push(name),
        () => undefined,
      );
      return place;
    },
  };
}

describe("shares", () => {
  it("are granted at once while there is enough, and after a release otherwise", async () => {
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

  it("of an account are limited without delaying another account", async () => {
    const { granted, ask } = recorder({ total: 20, perAccount: 5 });
    void ask("first", "a", 5);
    void ask("second", "a", 5);
    void ask("other", "b", 5);
    await setImmediate();
    expect(granted).toEqual(["first", "other"]);
  });

  it("are not taken by small pieces while a large one waits for it", async () => {
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

  it("are granted to a piece that is larger than the share of an account", async () => {
    const { granted, ask } = recorder({ total: 10, perAccount: 5 });
    await ask("huge", "a", 50);
    expect(granted).toEqual(["huge"]);
  });

  it("are not waited for after the signal aborts, which lets the next one start", async () => {
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

const large = 1_000_000;
const overloaded = expect.objectContaining({ code: "overloaded", retryAfterMs: 1_000 });

it("refuses an account at its limit of concurrent large bodies, and no other account", () => {
  const memory = createBodyMemory({ total: 4 * large, perAccount: 2 * large });
  const [release] = [memory.take("a", large), memory.take("a", large)];
  expect(() => memory.take("a", large)).toThrow(overloaded);
  memory.take("b", large);
  release();
  expect(() => memory.take("a", large)).not.toThrow();
});

it("refuses every account while the memory for large bodies is used up", () => {
  const memory = createBodyMemory({ total: 2 * large, perAccount: large });
  const release = memory.take("a", large);
  memory.take("b", large);
  expect(() => memory.take("c", large)).toThrow(overloaded);
  release();
  expect(() => memory.take("c", large)).not.toThrow();
});

it("does not count small bodies", () => {
  const memory = createBodyMemory({ total: 0, perAccount: 0 });
  expect(() => memory.take("a", 65_536)).not.toThrow();
});
