import { describe, expect, it } from "vitest";
import { createOthersFirst, type OthersFirst } from "./others-first.ts";

const inBatch = { isInBatch: true };
const single = { isInBatch: false };
const { signal } = new AbortController();

/** Lets all promises that can settle do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** An order with a clock of its own; `onPause` runs at each pause. */
function orderWith(threads: number, onPause: (time: number) => void = () => undefined) {
  let time = 0;
  const order = createOthersFirst(threads, {
    aloneMs: 20_000,
    quietMs: 500,
    longestMs: 10_000,
    checkMs: 100,
    now: () => time,
    async pause(ms) {
      time += ms;
      onPause(time);
      await settle();
    },
  });
  return {
    order,
    time: async () => time,
    passes: (ms: number) => {
      time += ms;
    },
  };
}

/** Steps that end when `end` is called, and the number of times that they began. */
function heldSteps() {
  const ends: (() => void)[] = [];
  const steps = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.push(resolve);
    return promise;
  };
  return { steps, begun: () => ends.length, end: () => ends.shift()?.() };
}

/** Runs six images of a batch; returns how many of them are in their steps at the same time. */
async function begunAtOnce(order: OthersFirst): Promise<number> {
  const { steps, begun, end } = heldSteps();
  const images = Array.from({ length: 6 }, () => order.run(inBatch, steps, signal));
  await settle();
  const atOnce = begun();
  for (const _ of images) {
    end();
    await settle();
  }
  await Promise.all(images);
  return atOnce;
}

describe("an image of a batch", () => {
  it("is marked at once by a process without other images", async () => {
    const { order, time } = orderWith(2);
    expect(await order.run(inBatch, time, signal)).toBe(0);
  });

  it("waits until the last other image has ended and a moment has passed", async () => {
    const { steps, end } = heldSteps();
    const { order, time } = orderWith(2, (at) => {
      if (at === 400 || at === 600) end();
    });
    const others = [order.run(single, steps, signal), order.run(single, steps, signal)];
    expect(await order.run(inBatch, time, signal)).toBe(1_100);
    await Promise.all(others);
  });

  it("waits for no longer than the longest wait, so that batches end", async () => {
    const { order, time } = orderWith(2);
    const { steps, end } = heldSteps();
    const other = order.run(single, steps, signal);
    expect(await order.run(inBatch, time, signal)).toBe(10_000);
    end();
    await other;
  });

  it.each([
    [1, 1],
    [2, 1],
    [5, 2],
  ])("has half of %d threads, at least one, after others: %d", async (threads, places) => {
    const { order, time, passes } = orderWith(threads);
    await order.run(single, time, signal);
    passes(19_999);
    expect(await begunAtOnce(order)).toBe(places);
  });

  it("has all threads when no other image came for a while", async () => {
    const { order, time, passes } = orderWith(3);
    expect(await begunAtOnce(order)).toBe(3);
    await order.run(single, time, signal);
    passes(20_000);
    expect(await begunAtOnce(order)).toBe(3);
  });

  it("keeps no other image waiting", async () => {
    const { order, time } = orderWith(1);
    const { steps, end } = heldSteps();
    const image = order.run(inBatch, steps, signal);
    await settle();
    expect(await order.run(single, time, signal)).toBe(0);
    end();
    await image;
  });

  it("gives its place to the next one when it fails or is aborted", async () => {
    const { order, time } = orderWith(1);
    const { steps, begun, end } = heldSteps();
    const abort = new AbortController();
    const first = order.run(inBatch, steps, signal);
    const aborted = order.run(inBatch, steps, abort.signal);
    const failed = order.run(inBatch, () => Promise.reject(new Error("broken")), signal);
    const last = order.run(inBatch, time, signal);
    abort.abort(new Error("shutting down"));
    await expect(aborted).rejects.toThrow("shutting down");
    expect(begun()).toBe(1);
    end();
    await first;
    await expect(failed).rejects.toThrow("broken");
    expect(await last).toBe(0);
  });
});
