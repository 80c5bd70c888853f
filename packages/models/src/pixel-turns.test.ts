import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { inPixelTurn } from "./pixel-turns.ts";

/** As many pixels as are worked on at a time. */
const most = 2 * 4_096 * 4_096;

/** Starts work on images and returns which of them have started. */
function startAll(sizes: readonly number[]) {
  const started: number[] = [];
  const ends = sizes.map(() => Promise.withResolvers<void>());
  const works = sizes.map((pixels, index) =>
    inPixelTurn(pixels, async () => {
      started.push(index);
      await ends[index]?.promise;
    }),
  );
  return { started, works, end: (index: number) => ends[index]?.resolve() };
}

describe("work on images", () => {
  it("is done on many small images at once, and on few large ones", async () => {
    const small = startAll([1_048_576, 1_048_576, 1_048_576, 1_048_576]);
    await setImmediate();
    expect(small.started).toEqual([0, 1, 2, 3]);
    for (const index of small.started) small.end(index);
    await Promise.all(small.works);

    const large = startAll([most, 2 * most, 1]);
    await setImmediate();
    expect(large.started).toEqual([0]);
    large.end(0);
    await setImmediate();
    expect(large.started).toEqual([0, 1]);
    large.end(1);
    await setImmediate();
    expect(large.started).toEqual([0, 1, 2]);
    large.end(2);
    await Promise.all(large.works);
  });

  it("continues after a failure", async () => {
    const failed = inPixelTurn(most, () => Promise.reject(new Error("damaged")));
    const next = inPixelTurn(most, () => Promise.resolve("drawn"));
    await expect(failed).rejects.toThrow("damaged");
    expect(await next).toBe("drawn");
  });
});
