import { expect, it } from "vitest";
import { limitConcurrency } from "./limit-concurrency.ts";

it("runs at most the limit at a time and starts the next when one succeeds or fails", async () => {
  const limited = limitConcurrency(2);
  const begun: number[] = [];
  const works = Array.from({ length: 5 }, (_, index) => ({
    index,
    ...Promise.withResolvers<number>(),
  }));
  const results = works.map(({ index, promise }) =>
    limited(() => {
      begun.push(index);
      return promise;
    }).catch(() => "failed"),
  );
  expect(begun).toEqual([0, 1]);
  works[1]!.reject(new Error("no"));
  await results[1];
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  for (const { index, resolve } of works) resolve(index);
  expect(await Promise.all(results)).toEqual([0, "failed", 2, 3, 4]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});
