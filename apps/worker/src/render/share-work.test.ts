import { expect, it } from "vitest";
import { createSharedWork } from "./share-work.ts";

const { signal } = new AbortController();

it("runs work of one key once for all that ask while it runs, and again later", async () => {
  const shared = createSharedWork<number>();
  let runs = 0;
  const work = () => Promise.resolve((runs += 1));
  const ask = (key: string) => shared.run(key, work, signal);
  expect(await Promise.all([ask("a"), ask("b"), ask("a"), ask("a")])).toEqual([1, 2, 1, 1]);
  expect(await ask("a")).toBe(3);
});

it("shares a failure", async () => {
  const shared = createSharedWork<number>();
  let runs = 0;
  const work = () => Promise.reject<number>(new Error(`failure ${(runs += 1)}`));
  const asked = [shared.run("a", work, signal), shared.run("a", work, signal)];
  expect(await Promise.allSettled(asked)).toEqual(
    asked.map(() => ({ status: "rejected", reason: new Error("failure 1") })),
  );
});

it("runs the work of a caller whose signal holds when the work under way is aborted", async () => {
  const shared = createSharedWork<string>();
  const leaving = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    leaving.signal.addEventListener("abort", () => reject(new Error("aborted")));
  });
  const first = shared.run("a", () => aborted, leaving.signal);
  const second = shared.run("a", () => Promise.resolve("done"), signal);
  leaving.abort();
  await expect(first).rejects.toThrow("aborted");
  expect(await second).toBe("done");
});
