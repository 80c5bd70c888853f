import { expect, it } from "vitest";
import { tokenUsageOf } from "./token-usage.ts";

it("adds up the tokens of all calls by kind", () => {
  const first = { text_input_tokens: 10, cached_input_tokens: 5, image_output_tokens: 1_000 };
  const second = {
    text_input_tokens: 10,
    image_input_tokens: 40,
    text_output_tokens: 7,
    images: 1,
  };
  expect(tokenUsageOf([first, second])).toEqual({
    input_tokens: 65,
    input_tokens_details: { text_tokens: 25, image_tokens: 40 },
    output_tokens: 1_007,
    output_tokens_details: { text_tokens: 7, image_tokens: 1_000 },
    total_tokens: 1_072,
  });
});

it.each([
  ["no call", []],
  ["a call without recorded units", [{ text_input_tokens: 1 }, null]],
  ["a vendor that counts no tokens", [{ calls: 1, images: 1 }]],
])("states no usage for %s", (_, calls) => {
  expect(tokenUsageOf(calls)).toBeNull();
});
