import type { Provider } from "@atelier/models";
import { expect, it } from "vitest";
import { explainOutcome } from "./explain-outcome.ts";

const provider: Pick<Provider, "name" | "lostCall"> = {
  name: "a-provider",
  lostCall: "repeat-blindly",
};

it("reports what the provider refused and its reason", () => {
  const outcome = { kind: "refused", stage: "image", categories: ["violence"] } as const;
  const { error } = explainOutcome(outcome, provider as Provider, { kind: "closed" });
  expect(error).toMatchObject({
    code: "provider_refused",
    details: { provider: "a-provider", stage: "image", categories: ["violence"] },
  });
});

it.each([
  [null, 1_000],
  [0, 1_000],
  [7_000, 7_000],
  [3_600_000, 30_000],
])("a provider that is busy for %j ms pauses its lane for %i ms", (retryAfterMs, pauseLaneMs) => {
  const outcome = { kind: "rate-limited", retryAfterMs } as const;
  const failed = explainOutcome(outcome, provider as Provider, { kind: "closed" });
  expect(failed).toMatchObject({ outcome: "rate_limited", pauseLaneMs });
});

it("fails a call that timed out for good: no further attempt and no other model", () => {
  const outcome = { kind: "timed-out", message: "no answer within 300 s" } as const;
  const failed = explainOutcome(outcome, provider as Provider, { kind: "closed" });
  expect(failed).toMatchObject({
    outcome: "timed_out",
    fallBack: "never",
    error: { code: "provider_error", retryable: false },
  });
});

it("blames a busy machine instead of the provider, and does not count the attempt", () => {
  const outcome = {
    kind: "unavailable",
    message: "",
    retryAfterMs: null,
    isMachineBusy: true,
  } as const;
  const failed = explainOutcome(outcome, provider as Provider, { kind: "closed" });
  expect(failed).toMatchObject({
    error: { code: "overloaded", status: 503, retryable: true },
    outcome: "unavailable",
    isUncounted: true,
    fallBack: "never",
  });
});
