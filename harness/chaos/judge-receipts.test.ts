import { expect, it } from "vitest";
import { judgeReceipts, type JudgedJob } from "./judge-receipts.ts";
import type { Receipt } from "./observers.ts";

const job: JudgedJob = {
  id: "job",
  accountId: "account",
  status: "completed",
  completedAt: new Date(1_000),
};

const receipt = (via: Receipt["via"], change: Partial<Receipt> = {}): Receipt => ({
  via,
  accountId: "account",
  eventId: 2n,
  type: "job.completed",
  jobId: "job",
  status: "completed",
  receivedAt: 2_000,
  ...change,
});
const both = [receipt("webhook"), receipt("stream")];

it("accepts a final state that is reported both ways, also repeatedly", () => {
  const updated = receipt("webhook", { eventId: 1n, type: "job.updated", receivedAt: 10 });
  expect(judgeReceipts([job], [updated, ...both, updated, ...both])).toEqual([]);
  expect(judgeReceipts([{ ...job, status: "processing", completedAt: null }], [])).toEqual([]);
});

it.each([
  ["a final state that a stream never reports", [receipt("webhook")], /^No stream/],
  [
    "a final state before it was true",
    [...both, receipt("webhook", { receivedAt: 999 })],
    /too early/,
  ],
  [
    "another final state",
    [...both, receipt("stream", { type: "job.failed", status: "failed", eventId: 3n })],
    /too early/,
  ],
  [
    "events out of order",
    [...both, receipt("webhook", { eventId: 1n, type: "job.updated" })],
    /out of order/,
  ],
  ["a report to another account", [...both, receipt("stream", { accountId: "b" })], /another/],
])("finds %s", (_what, receipts, message) => {
  expect(judgeReceipts([job], receipts)).toEqual([expect.stringMatching(message)]);
});
