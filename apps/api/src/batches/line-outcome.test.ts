import { LineTakenError } from "@atelier/generations/batches";
import { AppError, type ErrorCode } from "@atelier/schemas";
import { describe, expect, it } from "vitest";
import { outcomeOfError } from "./line-outcome.ts";

const outcomeOf = (code: ErrorCode, waitedMs = 0) =>
  outcomeOfError(new AppError(code, "a message"), waitedMs);

describe("outcomeOfError", () => {
  it.each(["invalid_request", "model_not_found", "content_illegal", "key_not_permitted"] as const)(
    "refuses only the line for %s",
    (code) => expect(outcomeOf(code)).toMatchObject({ kind: "refused", error: { error: code } }),
  );

  it.each([
    ["insufficient_credit", true],
    ["key_budget_exhausted", true],
    ["budget_exhausted", true],
    ["overloaded", true],
    ["too_many_jobs", false],
    ["rate_limited", false],
  ] as const)("waits for %s, and shows the reason: %s", (code, isShown) => {
    expect(outcomeOf(code)).toMatchObject({ kind: "waits", isShown });
  });

  it.each(["unauthorized", "account_suspended"] as const)("stops the batch for %s", (code) => {
    expect(outcomeOf(code).kind).toBe("stopped");
  });

  it("waits for an unknown error, and refuses the line when it stays", () => {
    expect(outcomeOfError(new Error("a defect"), 0).kind).toBe("waits");
    expect(outcomeOfError(new Error("a defect"), 600_000)).toMatchObject({
      kind: "refused",
      error: { error: "internal_error", message: "The line could not be accepted." },
    });
  });

  it("leaves the batch to the process that took the line", () => {
    expect(outcomeOfError(new LineTakenError({ id: "a batch", line: 1 }), 0).kind).toBe("lost");
  });
});
