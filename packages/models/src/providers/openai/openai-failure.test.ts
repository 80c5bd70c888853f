import { describe, expect, it } from "vitest";
import { explainOpenAiFailure } from "./openai-failure.ts";

function outcomeOf(status: number, error: object) {
  const body = Buffer.from(JSON.stringify({ error }));
  return explainOpenAiFailure({ status, headers: {}, body }).outcome;
}

describe("mapping of errors in OpenAI's format", () => {
  it.each([
    [429, "insufficient_quota"],
    [429, "credit_balance_exhausted"],
    [429, "project_spend_limit_exceeded"],
    [429, "organization_spend_limit_exceeded"],
    [429, "organization_usage_limit_exceeded"],
    [400, "billing_hard_limit_reached"],
  ])("maps %i %s to out-of-quota", (status, code) => {
    expect(outcomeOf(status, { message: "why", type: null, param: null, code }).kind).toBe(
      "out-of-quota",
    );
    expect(outcomeOf(status, { message: "why", type: code, code: null }).kind).toBe("out-of-quota");
  });

  it.each([
    [400, { type: "image_generation_user_error", code: "invalid_value" }, "invalid-request"],
    [401, { type: "invalid_request_error", code: "invalid_api_key" }, "unavailable"],
    [403, { type: "invalid_request_error", code: null }, "unavailable"],
    [404, { type: "invalid_request_error", code: "model_not_found" }, "invalid-request"],
    [429, { type: "requests", code: "rate_limit_exceeded" }, "rate-limited"],
    [500, { type: "server_error", code: null }, "unavailable"],
    // Some compatible servers repeat the HTTP status in `code`.
    [500, { type: "", code: 500 }, "unavailable"],
  ])("maps %i %j to %s", (status, error, kind) => {
    expect(outcomeOf(status, { message: "why", ...error }).kind).toBe(kind);
  });

  it("maps a refusal with its stage and categories", () => {
    const code = "moderation_blocked";
    const details = { moderation_stage: "output", categories: ["sexual"] };
    expect(outcomeOf(400, { message: "no", code, moderation_details: details })).toEqual({
      kind: "refused",
      stage: "image",
      categories: ["sexual"],
    });
    const message = "Rejected by the safety system. safety_violations=[violence, self-harm].";
    expect(outcomeOf(400, { message, code })).toEqual({
      kind: "refused",
      stage: null,
      categories: ["violence", "self-harm"],
    });
    expect(outcomeOf(400, { message: "no", code: "content_policy_violation" })).toEqual({
      kind: "refused",
      stage: null,
      categories: [],
    });
  });

  it("maps an error in any other format", () => {
    const page = { status: 503, headers: {}, body: Buffer.from("<html>") };
    expect(explainOpenAiFailure(page).outcome.kind).toBe("unavailable");
  });
});
