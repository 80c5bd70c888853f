import { expect, it } from "vitest";
import { readGeminiUsage } from "../gemini/gemini-usage.ts";
import { readOpenAiUsage } from "../openai/openai-usage.ts";

const responseOf = (body: object, status = 200) => ({
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
});

it("reads the tokens of an OpenAI response by kind", () => {
  // platform.openai.com, "Create image", example response; read on 2026-11-24 in a copy of the page.
  const usage = {
    total_tokens: 100,
    input_tokens: 50,
    output_tokens: 50,
    input_tokens_details: { text_tokens: 10, image_tokens: 40 },
  };
  expect(readOpenAiUsage(responseOf({ created: 1_713_833_628, data: [], usage }))).toEqual({
    units: { text_input_tokens: 10, image_input_tokens: 40, image_output_tokens: 50 },
  });
});

it("reads output text and cached input of an OpenAI response", () => {
  const usage = {
    input_tokens: 50,
    output_tokens: 70,
    input_tokens_details: { text_tokens: 50, image_tokens: 0, cached_tokens: 30 },
    output_tokens_details: { text_tokens: 20, image_tokens: 50 },
  };
  expect(readOpenAiUsage(responseOf({ usage })).units).toEqual({
    text_input_tokens: 20,
    cached_input_tokens: 30,
    image_input_tokens: 0,
    text_output_tokens: 20,
    image_output_tokens: 50,
  });
});

it("counts no output of an OpenAI response twice", () => {
  const usage = { output_tokens: 100, output_tokens_details: { text_tokens: 100 } };
  expect(readOpenAiUsage(responseOf({ usage })).units).toEqual({ text_output_tokens: 100 });
});

it("reads the cost that OpenRouter states in USD", () => {
  expect(readOpenAiUsage(responseOf({ data: [], usage: { cost: 0.04 } }))).toEqual({
    units: {},
    cost: { micro: 40_000n, currency: "USD" },
  });
});

it("reads the tokens of a Gemini response by modality and adds thoughts to the text", () => {
  // The fields of GenerateContentResponseUsageMetadata (@google/genai 3.1.0, read on 2026-11-24).
  const usageMetadata = {
    promptTokenCount: 14,
    candidatesTokenCount: 747,
    thoughtsTokenCount: 180,
    totalTokenCount: 941,
    candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 747 }],
  };
  expect(readGeminiUsage(responseOf({ candidates: [], usageMetadata }))).toEqual({
    units: { text_input_tokens: 14, text_output_tokens: 180, image_output_tokens: 747 },
  });
});

it.each([
  ["nothing", {}],
  ["null", { usage: null, usageMetadata: null }],
  ["texts", { usage: "free", usageMetadata: "free" }],
])("reads no usage from a response that has %s in its place", (_, body) => {
  expect(readOpenAiUsage(responseOf(body))).toEqual({});
  expect(readGeminiUsage(responseOf(body))).toEqual({});
});

it("ignores counts that are not whole numbers of 0 or more", () => {
  const usage = { input_tokens: -1, output_tokens: "many", cost: "free" };
  expect(readOpenAiUsage(responseOf({ usage }))).toEqual({ units: {} });
});
