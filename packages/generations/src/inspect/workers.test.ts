import { expect, it } from "vitest";
import { findReplacements, type SeenWorker } from "./workers.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 30, 14, minute));

/** A worker that began and was seen last in these minutes; silent if it was not seen in minute 30. */
function worker(id: string, started: number, seen: number, part: Partial<SeenWorker> = {}) {
  const times = { startedAt: at(started), seenAt: at(seen), isSilent: seen < 30 };
  return { id, host: id, version: "0.4.0", lanes: ["builtin"], ...times, ...part };
}

const replacedIn = (...workers: SeenWorker[]) => Object.fromEntries(findReplacements(workers));

it("finds the worker that began after the last heartbeat of a silent one", () => {
  expect(replacedIn(worker("a", 0, 10), worker("b", 11, 30))).toEqual({ a: "b" });
});

it("finds no replacement in a worker that ran before, or that lacks a lane", () => {
  expect(replacedIn(worker("a", 0, 10), worker("b", 5, 30))).toEqual({});
  const lanes = ["builtin", "openai"];
  expect(replacedIn(worker("a", 0, 10, { lanes }), worker("b", 11, 30))).toEqual({});
  expect(replacedIn(worker("a", 0, 10), worker("b", 11, 30, { lanes }))).toEqual({ a: "b" });
});

it("counts a worker as the replacement of one other, on the same host first", () => {
  expect(replacedIn(worker("a", 0, 10), worker("b", 0, 12), worker("c", 13, 30))).toEqual({
    a: "c",
  });
  expect(
    replacedIn(worker("a", 0, 10), worker("b", 11, 30), worker("c", 12, 30, { host: "a" })),
  ).toEqual({ a: "c" });
});

it("follows a replacement that fell silent as well", () => {
  expect(replacedIn(worker("a", 0, 10), worker("b", 11, 20), worker("c", 21, 30))).toEqual({
    a: "b",
    b: "c",
  });
});
