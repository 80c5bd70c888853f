import { expect, it } from "vitest";
import { settleEach } from "./settle-each.ts";

it("gives every item its turn, and throws all errors afterwards", async () => {
  const done: number[] = [];
  const work = settleEach([1, 2, 3, 4], async (item) => {
    if (item % 2 === 1) throw new Error(`item ${item}`);
    done.push(item);
  });
  await expect(work).rejects.toThrow("Error: item 1; Error: item 3");
  expect(done).toEqual([2, 4]);
});

it("ends early when an item asks for it", async () => {
  const done: number[] = [];
  const isComplete = await settleEach([1, 2, 3], async (item) => {
    done.push(item);
    return item < 2;
  });
  expect([isComplete, done]).toEqual([false, [1, 2]]);
  expect(await settleEach([1], async () => undefined)).toBe(true);
});
