import { describe, expect, it } from "vitest";
import { createClock, type Activity, type Wait } from "./clock.ts";
import { createLog, createMachine, createPlaces } from "./resources.ts";

/** Starts activities at these times that each wait for one thing, and returns when they ended. */
function endsOf(
  build: (clock: ReturnType<typeof createClock>) => readonly { at: number; wait: () => Wait }[],
): number[] {
  const clock = createClock();
  const ends: number[] = [];
  const parts = build(clock);
  function* run({ at, wait }: (typeof parts)[number], index: number): Activity {
    yield clock.pause(at);
    yield wait();
    ends[index] = clock.now();
  }
  for (const [index, part] of parts.entries()) clock.start(run(part, index));
  clock.run(() => false);
  return ends;
}

describe("the processors of a machine", () => {
  it("give each of as many activities as cores its whole time", () => {
    const ends = endsOf((clock) => {
      const machine = createMachine(clock, "machine", 2);
      return [10, 4].map((ms) => ({ at: 0, wait: () => machine.compute(ms) }));
    });
    expect(ends).toEqual([10, 4]);
  });

  it("are shared evenly by more activities", () => {
    const ends = endsOf((clock) => {
      const machine = createMachine(clock, "machine", 1);
      return [
        { at: 0, wait: () => machine.compute(10) },
        { at: 5, wait: () => machine.compute(2) },
      ];
    });
    // From 5 to 9 each has half a core.
    expect(ends).toEqual([12, 9]);
  });
});

it("commits that wait while the log is written share the next write", () => {
  const ends = endsOf((clock) => {
    const log = createLog(clock, 0, 10);
    return [0, 1, 9, 25].map((at) => ({ at, wait: () => log.flush() }));
  });
  expect(ends).toEqual([10, 20, 20, 35]);
});

it("commits join a write that is delayed", () => {
  const ends = endsOf((clock) => {
    const log = createLog(clock, 20, 10);
    return [0, 19, 25].map((at) => ({ at, wait: () => log.flush() }));
  });
  expect(ends).toEqual([30, 30, 60]);
});

it("places are given in the order of the requests", () => {
  const clock = createClock();
  const places = createPlaces(1);
  const order: number[] = [];
  function* hold(index: number): Activity {
    yield places.enter();
    order.push(index);
    yield clock.pause(1);
    places.leave();
  }
  for (const index of [1, 2, 3]) clock.start(hold(index));
  clock.run(() => false);
  expect(order).toEqual([1, 2, 3]);
  expect(clock.now()).toBe(3);
});
