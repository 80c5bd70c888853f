import { expect, it } from "vitest";
import { judgeUploads } from "./judge-uploads.ts";

const record = { id: "a", sha256: "00", state: "kept" as const };
const row = { id: "a", sha256: "00", isDeleted: false };

it.each([
  ["a kept upload with its row", [record], [row], ["a"], []],
  ["a deleted upload without a row", [{ ...record, state: "deleted" as const }], [], [], []],
  [
    "an upload whose client gave up while it was deleted",
    [{ ...record, state: "deleting" as const }],
    [row],
    ["a"],
    [],
  ],
  ["an upload that no client knows, with its row", [], [{ ...row, sha256: null }], ["a"], []],
])("accepts %s", (_, records, rows, files, wrong) => {
  expect(judgeUploads(records, rows, files)).toEqual(wrong);
});

it.each([
  ["a kept upload without a row", [record], [], [], "is lost"],
  ["a kept upload with another file", [record], [{ ...row, sha256: "11" }], ["a"], "is lost"],
  [
    "a kept upload that is marked as deleted",
    [record],
    [{ ...row, isDeleted: true }],
    ["a"],
    "is lost",
  ],
  [
    "a deleted upload with its row",
    [{ ...record, state: "deleted" as const }],
    [row],
    ["a"],
    "is left",
  ],
  ["a file without a row", [], [], ["a"], "has no row"],
])("finds %s", (_, records, rows, files, problem) => {
  expect(judgeUploads(records, rows, files)).toEqual([expect.stringContaining(problem)]);
});
