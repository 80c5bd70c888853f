import { expect, it } from "vitest";
import { isOpenAIPath } from "./openai-paths.ts";

it.each([
  "/v1/images/generations",
  "/v1/images/upscales",
  "/V1/Images/Edits/",
  "/v1/models/fake",
  "/v1/models/%E0%A4%A",
  "/v1/chat/completions",
  "/v1/threads/1/runs/2/steps",
  "/images/generations",
  "/v1/v1/images/edits",
  "/openai/deployments/gpt-image-1/images/variations",
  "/models",
  "/models/fake",
  "/v1/v1/models",
  "/chat/completions",
  "/responses",
  "/api/embeddings",
])("is a path of OpenAI's clients: %s", (path) => {
  expect(isOpenAIPath(path)).toBe(true);
});

it.each([
  "/",
  "/v1",
  "/v1/models",
  "/v1/models/",
  "/v1/jobs",
  "/v1/generate/image",
  "/images/renders/019a/1.png",
  "/images/edits.png",
  "/v1/collections/edits",
])("is no path of OpenAI's clients: %s", (path) => {
  expect(isOpenAIPath(path)).toBe(false);
});
