import { expect, it } from "vitest";
import { createRemark } from "./remark.ts";

function remarks(interactive: boolean) {
  let written = "";
  let ms = 0;
  const remark = createRemark({ write: (text) => (written += text) }, interactive, () => ms);
  for (ms = 0; ms <= 25_000; ms += 2_000) remark(`${ms} ms`);
  remark("one file is damaged", true);
  return written.split("\n");
}

it("writes progress in a pipe at most every ten seconds, and all problems", () => {
  expect(remarks(false)).toEqual(["10000 ms", "20000 ms", "one file is damaged", ""]);
});

it("writes all remarks on a terminal", () => {
  expect(remarks(true)).toHaveLength(15);
});
