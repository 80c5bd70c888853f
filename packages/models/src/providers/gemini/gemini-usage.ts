import * as z from "zod";
import { statedUnits, type VendorUsage } from "../../vendor-usage.ts";
import { findJson } from "../http/read-json.ts";
import type { HttpResponse } from "../http/send.ts";

const count = z.int().min(0).nullish().catch(null);
const modalities = z
  .array(z.object({ modality: z.string().optional(), tokenCount: count }))
  .nullish()
  .catch(null);

const usageSchema = z.object({
  usageMetadata: z.object({
    promptTokenCount: count,
    promptTokensDetails: modalities,
    cachedContentTokenCount: count,
    candidatesTokenCount: count,
    candidatesTokensDetails: modalities,
    thoughtsTokenCount: count,
  }),
});

type Modalities = z.infer<typeof modalities>;

/**
 * Reads `usageMetadata`. Thoughts are billed as output text. Without details of the output, all its
 * tokens are image tokens: the adapter requests images only. Source: the class
 * `GenerateContentResponseUsageMetadata` of @google/genai 3.1.0, read on 2026-11-24.
 */
export function readGeminiUsage(response: HttpResponse): VendorUsage {
  const usage = findJson(response, usageSchema)?.usageMetadata;
  if (usage === undefined) return {};
  const input = usage.promptTokensDetails;
  const output = usage.candidatesTokensDetails;
  const cached = usage.cachedContentTokenCount ?? 0;
  const text = tokensOf(input, "TEXT") ?? (input == null ? usage.promptTokenCount : null);
  const outputText = tokensOf(output, "TEXT");
  const thoughts = usage.thoughtsTokenCount;
  return {
    units: statedUnits({
      text_input_tokens: text == null ? null : Math.max(0, text - cached),
      cached_input_tokens: cached === 0 ? null : cached,
      image_input_tokens: tokensOf(input, "IMAGE"),
      text_output_tokens:
        outputText === null && thoughts == null ? null : (outputText ?? 0) + (thoughts ?? 0),
      image_output_tokens:
        tokensOf(output, "IMAGE") ?? (output == null ? usage.candidatesTokenCount : null),
    }),
  };
}

/** The tokens of a modality; null when it is not listed. */
function tokensOf(details: Modalities, modality: string): number | null {
  const counts = (details ?? []).filter((detail) => detail.modality === modality);
  if (counts.length === 0) return null;
  return counts.reduce((sum, { tokenCount }) => sum + (tokenCount ?? 0), 0);
}
