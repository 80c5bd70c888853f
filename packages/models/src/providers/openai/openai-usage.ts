import * as z from "zod";
import { statedUnits, toVendorAmount, type VendorUsage } from "../../vendor-usage.ts";
import { findJson } from "../http/read-json.ts";
import type { HttpResponse } from "../http/send.ts";

const count = z.int().min(0).nullish().catch(null);
const details = z
  .object({ text_tokens: count, image_tokens: count, cached_tokens: count })
  .nullish()
  .catch(null);

const usageSchema = z.object({
  usage: z.object({
    input_tokens: count,
    input_tokens_details: details,
    output_tokens: count,
    output_tokens_details: details,
    cost: z.unknown().optional(),
  }),
});

/**
 * Reads `usage` of a response in the format of OpenAI's Images API, and the cost in USD that OpenRouter
 * adds to it. Without details of the output, all its tokens are image tokens. Source: the types
 * `ImagesResponse.Usage` of openai 7.55.0, read on 2026-11-24.
 */
export function readOpenAiUsage(response: HttpResponse): VendorUsage {
  const usage = findJson(response, usageSchema)?.usage;
  if (usage === undefined) return {};
  const { input_tokens_details: input, output_tokens_details: output } = usage;
  const cost = toVendorAmount(usage.cost);
  const cached = input?.cached_tokens ?? 0;
  // Cached tokens are part of the text tokens.
  const text = input?.text_tokens ?? (input == null ? usage.input_tokens : null);
  return {
    units: statedUnits({
      text_input_tokens: text == null ? null : Math.max(0, text - cached),
      cached_input_tokens: cached === 0 ? null : cached,
      image_input_tokens: input?.image_tokens,
      text_output_tokens: output?.text_tokens,
      image_output_tokens: output?.image_tokens ?? (output == null ? usage.output_tokens : null),
    }),
    ...(cost !== null && { cost }),
  };
}
