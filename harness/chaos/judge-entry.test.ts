import { expect, it } from "vitest";
import { judgeEntry } from "./judge-entry.ts";
import type { DiaryEntry } from "./load.ts";

const entry: DiaryEntry = {
  operation: "image",
  accountId: "account",
  key: "client-1",
  expected: "image",
  jobId: "job",
  outcome: "completed",
  gaveUpAt: null,
};
const noon = Date.UTC(2026, 0, 1, 12);
const gaveUp = { ...entry, outcome: null, gaveUpAt: noon };
const completed = { id: "job", status: "completed", code: null, completedAt: new Date(noon) };
const endedBefore = (seconds: number) => ({
  ...completed,
  completedAt: new Date(noon - seconds * 1_000),
});

it.each([
  ["sees the recorded outcome", entry, completed, "right"],
  [
    "sees the recorded failure",
    { ...entry, outcome: "overloaded" },
    { ...completed, status: "failed", code: "overloaded" },
    "right",
  ],
  ["gives up before its job has ended", gaveUp, { ...completed, completedAt: null }, "timeout"],
  ["gives up just after its job has ended", gaveUp, endedBefore(59), "timeout"],
  ["gives up and was never accepted", { ...gaveUp, jobId: null }, null, "timeout"],
  [
    "is refused by moderation before there is a job",
    { ...entry, expected: "refusal", jobId: null, outcome: "content_illegal" },
    null,
    "right",
  ],
] as const)("a client that %s is not a violation", (_what, observed, job, verdict) => {
  expect(judgeEntry(observed, job)).toBe(verdict);
});

it.each([
  ["sees an unrecorded image", entry, null, /saw completed/],
  [
    "sees the outcome of another job",
    { ...entry, jobId: "other" },
    completed,
    /saw completed for other/,
  ],
  ["gives up on a job that is not recorded", gaveUp, null, /saw null for job/],
  ["gives up long after its job has ended", gaveUp, endedBefore(61), /did not see within 61 s/],
  [
    "is refused by moderation with an innocent prompt",
    { ...entry, jobId: null, outcome: "content_illegal" },
    null,
    /saw content_illegal/,
  ],
  ["gets an image that must be refused", { ...entry, expected: "refusal" }, completed, /completed/],
] as const)("a client that %s is a violation", (_what, observed, job, verdict) => {
  expect(judgeEntry(observed, job)).toMatch(verdict);
});
