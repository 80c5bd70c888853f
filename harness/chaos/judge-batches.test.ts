import { expect, it } from "vitest";
import type { BatchRecord } from "./batches.ts";
import { judgeBatches, type StoredBatch, type StoredLine } from "./judge-batches.ts";

const endedAt = new Date("2026-11-25T12:00:00.000Z");

const lines: readonly StoredLine[] = [
  { line: 1, jobId: "job-1", status: "completed" },
  { line: 2, jobId: null, status: "failed" },
];

const batch: StoredBatch = {
  id: "batch-1",
  accountId: "account-1",
  key: "key-1",
  linesTotal: 2,
  completedAt: endedAt,
  lines,
};

const record: BatchRecord = {
  id: "batch-1",
  accountId: "account-1",
  key: "key-1",
  lines: 2,
  results: [
    { line: 1, status: "completed", job_id: "job-1", error: null },
    { line: 2, status: "failed", job_id: null, error: { error: "model_not_found" } },
  ],
  last: "200",
  stoppedAt: endedAt.getTime() + 1_000,
};

const gaveUp = { ...record, results: null };

it.each([
  ["a batch whose results are those of its lines", [record], [batch], 0],
  ["a client that gave up soon after the end", [gaveUp], [batch], 1],
  ["a client that gave up before its request was accepted", [{ ...gaveUp, id: null }], [], 1],
])("accepts %s", (_, records, stored, timeouts) => {
  expect(judgeBatches(records, stored)).toEqual({ wrong: [], timeouts });
});

const withLines = (...taken: StoredLine[]): StoredBatch => ({ ...batch, lines: taken });
const [first, last] = lines as [StoredLine, StoredLine];

it.each([
  ["a batch that is lost", [record], [], "made no batch"],
  ["two batches of one request", [record], [batch, { ...batch, id: "batch-2" }], " and batch"],
  ["a batch that no client sent", [], [batch], "No client"],
  ["a batch that has not ended", [gaveUp], [{ ...batch, completedAt: null }], "has not ended"],
  ["a line that was taken twice", [gaveUp], [withLines(first, first, last)], "took the lines"],
  ["a line that is missing", [gaveUp], [withLines(last)], "took the lines"],
  [
    "a good line that was refused",
    [gaveUp],
    [withLines({ ...first, jobId: null }, last)],
    "refused the lines 1,2",
  ],
  [
    "results without a line",
    [{ ...record, results: record.results?.slice(0, 1) ?? null }],
    [batch],
    "instead of",
  ],
  [
    "results with another job",
    [record],
    [withLines({ ...first, jobId: "job-2" }, last)],
    "instead of",
  ],
  [
    "results that a client waits for after the end",
    [{ ...gaveUp, stoppedAt: endedAt.getTime() + 61_000 }],
    [batch],
    "did not get",
  ],
])("finds %s", (_, records, stored, problem) => {
  expect(judgeBatches(records, stored).wrong).toEqual([expect.stringContaining(problem)]);
});
