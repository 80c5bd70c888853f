import { expect, it } from "vitest";
import { AppError } from "../errors.ts";
import { describeProblems } from "../parse.ts";
import { openaiErrorBody, toOpenAIError } from "./openai-errors.ts";

function errorOf(error: Parameters<typeof toOpenAIError>[0]) {
  const { status, body } = toOpenAIError(error);
  return { status, ...openaiErrorBody.parse(body).error };
}

it.each([
  ["content_policy_violation", { category: "gore" }, "input", ["gore"]],
  ["content_illegal", { category: "forgery" }, "input", ["forgery"]],
  ["content_policy_violation", { category: "gore", stage: "image" }, "output", ["gore"]],
  ["provider_refused", { stage: "image", categories: ["a", "b"] }, "output", ["a", "b"]],
  ["provider_refused", { stage: "request", categories: [] }, "input", []],
  ["provider_refused", { stage: null, categories: [] }, "unknown", []],
] as const)("says why %s with %j was refused", (code, details, moderation_stage, categories) => {
  expect(errorOf(new AppError(code, "No.", { details }))).toMatchObject({
    status: 400,
    type: "image_generation_user_error",
    code: "content_policy_violation",
    moderation_details: { moderation_stage, categories },
  });
});

it("names the parameter instead of details[0].path", () => {
  const message = "Change the text that details[0].path names; nothing was charged.";
  const details = { category: "gore" };
  const error = new AppError("content_policy_violation", message, { details }).at("prompt");
  expect(errorOf(error).message).toBe(
    "Change the text of prompt; nothing was charged. Category: gore.",
  );
});

it("lists all problems in the message instead of details", () => {
  const details = [
    { path: "n", code: "too_big", message: "must be at most 10" },
    { path: "image_size", code: "invalid", message: "must be text" },
  ];
  const error = new AppError("invalid_request", describeProblems(details), { details });
  expect(errorOf(error)).toMatchObject({
    message:
      "n must be at most 10. Also wrong: size: must be text. Correct all and send the request again.",
    param: "n",
  });
});

it.each([
  ["image_size", "size"],
  ["aspect_ratio", "size"],
  ["image.upload_id", "image"],
  ["reference_images", "image"],
  ["reference_images.2.url", "image"],
  ["mask.url", "mask"],
  ["images.0.image_url", "images.0.image_url"],
  ["", null],
])("names the parameter of OpenAI's for the path %s", (path, param) => {
  expect(errorOf(new AppError("reference_invalid", "No.").at(path)).param).toBe(param);
});
