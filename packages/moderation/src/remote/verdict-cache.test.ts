import { expect, it } from "vitest";
import { createVerdictCache } from "./verdict-cache.ts";

it("finds a verdict by all parts of its key", () => {
  const cache = createVerdictCache<string | null>();
  cache.add(["model", "normal", "a text"], null);
  expect(cache.find(["model", "normal", "a text"])).toBeNull();
  expect(cache.find(["model", "liberal", "a text"])).toBeUndefined();
  expect(cache.find(["other", "normal", "a text"])).toBeUndefined();
  expect(cache.find(["model", "normal", "another text"])).toBeUndefined();
});

it("drops the least recently used verdict when it is full", () => {
  const cache = createVerdictCache<number>(2);
  cache.add(["a"], 1);
  cache.add(["b"], 2);
  expect(cache.find(["a"])).toBe(1);
  cache.add(["c"], 3);
  expect([cache.find(["a"]), cache.find(["b"]), cache.find(["c"])]).toEqual([1, undefined, 3]);
});

it("forgets a verdict that is too old", () => {
  const cache = createVerdictCache<number>(10, 0);
  cache.add(["a"], 1);
  expect(cache.find(["a"])).toBeUndefined();
});
