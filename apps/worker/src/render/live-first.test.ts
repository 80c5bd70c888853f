import { testLane } from "@atelier/models";
import { describe, expect, it } from "vitest";
import { createLiveFirst } from "./live-first.ts";

const live = { lane: "openai" };
const test = { lane: testLane };
const { signal } = new AbortController();

/** An order with a clock of its own; `onPause` runs at each pause. */
function orderWith(onPause: (time: number) => void = () => undefined) {
  let time = 0;
  const order = createLiveFirst({
    quietMs: 200,
    longestMs: 3_000,
    now: () => time,
    async pause(ms) {
      time += ms;
      onPause(time);
    },
  });
  return { order, time: () => time };
}

describe("an image of a test", () => {
  it("is made at once by a process without live images", async () => {
    const { order, time } = orderWith();
    await order.waitFor(test, signal);
    expect(time()).toBe(0);
  });

  it("waits until the last live image has ended and a moment has passed", async () => {
    const leave: (() => void)[] = [];
    const { order, time } = orderWith((at) => {
      if (at === 400 || at === 600) leave.pop()?.();
    });
    leave.push(order.enter(live), order.enter(live));
    await order.waitFor(test, signal);
    expect(time()).toBe(800);
  });

  it("waits for no longer than the longest wait, so that tests end", async () => {
    const { order, time } = orderWith();
    order.enter(live);
    await order.waitFor(test, signal);
    expect(time()).toBe(3_000);
  });

  it("keeps no live image and no other test waiting", async () => {
    const { order, time } = orderWith();
    order.enter(test);
    await order.waitFor(test, signal);
    order.enter(live);
    await order.waitFor(live, signal);
    expect(time()).toBe(0);
  });
});
