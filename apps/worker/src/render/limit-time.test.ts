import { expect, it, onTestFinished, vi } from "vitest";
import { limitTime } from "./limit-time.ts";

function useFakeTimers(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

it("aborts after its timeout", () => {
  useFakeTimers();
  using time = limitTime(1_000, new AbortController().signal);
  vi.advanceTimersByTime(999);
  expect(time.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(time.signal.reason).toMatchObject({ name: "TimeoutError" });
});

it.each(["before", "while"])(
  "aborts with the reason of another signal that aborts %s it runs",
  (when) => {
    const other = new AbortController();
    const reason = new Error("the worker leaves");
    if (when === "before") other.abort(reason);
    using time = limitTime(1_000, other.signal);
    if (when === "while") other.abort(reason);
    expect(time.signal.reason).toBe(reason);
  },
);

it("releases its timer when disposed", () => {
  useFakeTimers();
  const other = new AbortController();
  const time = limitTime(1_000, other.signal);
  time[Symbol.dispose]();
  other.abort();
  vi.advanceTimersByTime(1_000);
  expect(time.signal.aborted).toBe(false);
});
