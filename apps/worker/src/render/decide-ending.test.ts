import { describe, expect, it } from "vitest";
import { decideEnding, type Ending, type TryFacts } from "./decide-ending.ts";

/** The second of three attempts, after a retryable error. */
const retryable: TryFacts = {
  isStale: false,
  isLeaving: false,
  isRetryable: true,
  isServiceUnavailable: false,
  retryAfterMs: undefined,
  pauseLaneMs: null,
  isUncounted: false,
  fallBack: "never",
  attempt: 5,
  tries: 2,
  maxTries: 3,
};

const fail: Ending = { kind: "fail" };
const counted = {
  kind: "retry",
  countsTry: true,
  backOffTries: 2,
  retryAfterMs: undefined,
} as const;
const uncounted = { ...counted, countsTry: false, backOffTries: 5 } as const;

const rows: readonly (readonly [string, Partial<TryFacts>, Ending])[] = [
  ["retries a transient error", {}, counted],
  ["fails on a permanent error", { isRetryable: false }, fail],
  ["fails after the last try", { tries: 3 }, fail],
  ["waits as long as the provider asked", { retryAfterMs: 900 }, { ...counted, retryAfterMs: 900 }],
  ["writes nothing for a stale claim", { isStale: true, isLeaving: true }, { kind: "stale" }],
  ["hands a render back when the worker stops", { isLeaving: true }, { kind: "hand-back" }],
  [
    "hands a render back even after its last try",
    { isLeaving: true, tries: 3 },
    { kind: "hand-back" },
  ],
  [
    "fails on a permanent error even if the worker stops",
    { isLeaving: true, isRetryable: false },
    fail,
  ],
  ["pauses the lane", { pauseLaneMs: 700 }, { kind: "pause-lane", pauseMs: 700 }],
  [
    "pauses the lane even after the last try",
    { pauseLaneMs: 7, tries: 3 },
    { kind: "pause-lane", pauseMs: 7 },
  ],
  [
    "fails on a permanent error instead of pausing the lane",
    { pauseLaneMs: 700, isRetryable: false },
    fail,
  ],
  [
    "does not count a try while a service is unavailable",
    { isServiceUnavailable: true, tries: 3 },
    { ...uncounted },
  ],
  [
    "does not count a try that is marked as uncounted",
    { isUncounted: true, tries: 3 },
    { ...uncounted },
  ],
  [
    "backs off by the number of tries when the provider sends Retry-After",
    { isUncounted: true, retryAfterMs: 900 },
    { ...uncounted, backOffTries: 2, retryAfterMs: 900 },
  ],
  [
    "falls back to another model at once",
    { fallBack: "at-once", tries: 1 },
    {
      kind: "fall-back",
      ifBusy: { ...counted, backOffTries: 1 },
      ifKept: { ...counted, backOffTries: 1 },
    },
  ],
  [
    "retries while another image of the generation is being made",
    { fallBack: "at-once", isRetryable: false },
    { kind: "fall-back", ifBusy: counted, ifKept: fail },
  ],
  [
    "does not fall back after one try",
    { fallBack: "after-tries", tries: 1 },
    { ...counted, backOffTries: 1 },
  ],
  [
    "falls back after two tries",
    { fallBack: "after-tries" },
    { kind: "fall-back", ifBusy: counted, ifKept: counted },
  ],
  [
    "falls back after the only try",
    { fallBack: "after-tries", tries: 1, maxTries: 1 },
    { kind: "fall-back", ifBusy: fail, ifKept: fail },
  ],
  [
    "hands back before it falls back",
    { fallBack: "at-once", isLeaving: true },
    { kind: "hand-back" },
  ],
];

describe("decideEnding", () => {
  it.each(rows)("%s", (_name, facts, ending) => {
    expect(decideEnding({ ...retryable, ...facts })).toEqual(ending);
  });
});
