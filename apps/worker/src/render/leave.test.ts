import { beforeEach, describe, expect, it } from "vitest";
import { createLeave } from "./leave.ts";

describe("an attempt of a stopping worker", () => {
  let stopping: AbortController;
  let timeUp: AbortController;
  const create = () => createLeave({ stopping: stopping.signal, timeUp: timeUp.signal });

  beforeEach(() => {
    stopping = new AbortController();
    timeUp = new AbortController();
  });

  it("ends at once", () => {
    using leave = create();
    stopping.abort();
    expect(leave.signal.aborted).toBe(true);
  });

  it("lasts until the worker has no time left while it may not end", () => {
    using leave = create();
    leave.forbid();
    stopping.abort();
    expect(leave.signal.aborted).toBe(false);
    timeUp.abort();
    expect(leave.signal.aborted).toBe(true);
  });

  it("ends as soon as it may again", () => {
    using leave = create();
    leave.forbid();
    stopping.abort();
    leave.allow();
    expect(leave.signal.aborted).toBe(true);
  });

  it("ends at once when it begins after the stop", () => {
    stopping.abort();
    using leave = create();
    expect(leave.signal.aborted).toBe(true);
  });
});
