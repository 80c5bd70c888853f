import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startLoop } from "./loop.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const hour = 3_600_000;
const settings = { firstDelayMs: 0, delayMs: () => hour, gapMs: 200, onError: () => undefined };

it("runs a round at once when it is woken after the gap", async () => {
  const round = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const loop = startLoop(round, settings);
  await vi.advanceTimersByTimeAsync(200);
  loop.wake();
  expect(round).toHaveBeenCalledTimes(2);
  await loop.stop();
});

it("runs one round at the end of the gap when it is woken several times before", async () => {
  const round = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const loop = startLoop(round, settings);
  await vi.advanceTimersByTimeAsync(100);
  loop.wake();
  loop.wake();
  await vi.advanceTimersByTimeAsync(99);
  expect(round).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(round).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(hour - 1);
  expect(round).toHaveBeenCalledTimes(2);
  await loop.stop();
});

it("runs another round when it is woken during one", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const round = vi.fn<() => Promise<void>>(() => promise);
  const loop = startLoop(round, settings);
  loop.wake();
  resolve();
  await vi.advanceTimersByTimeAsync(200);
  expect(round).toHaveBeenCalledTimes(2);
  await loop.stop();
});

it("runs the first round when it is woken before the first delay, and none after a stop", async () => {
  const round = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const loop = startLoop(round, { ...settings, firstDelayMs: hour });
  loop.wake();
  expect(round).toHaveBeenCalledTimes(1);
  await loop.stop();
  loop.wake();
  await nextTurn();
  expect(round).toHaveBeenCalledTimes(1);
});
