import type { OpenAIUsage } from "@atelier/schemas";

/** Recorded units of a provider call. */
type Units = Readonly<Record<string, number>>;

const tokenUnits = [
  "text_input_tokens",
  "cached_input_tokens",
  "image_input_tokens",
  "text_output_tokens",
  "image_output_tokens",
] as const;

/**
 * The tokens of provider calls in OpenAI's format.
 *
 * @param calls units of the calls; null if they are unknown.
 * @returns null when a call has no tokens: its vendor does not count any, or did not state them.
 */
export function tokenUsageOf(calls: readonly (Units | null)[]): OpenAIUsage | null {
  const hasTokens = (units: Units | null) =>
    units !== null && tokenUnits.some((unit) => units[unit] !== undefined);
  if (calls.length === 0 || !calls.every(hasTokens)) return null;
  const sumOf = (...names: readonly (typeof tokenUnits)[number][]) =>
    calls.reduce(
      (sum, units) => names.reduce((subtotal, name) => subtotal + (units?.[name] ?? 0), sum),
      0,
    );
  const input = {
    text_tokens: sumOf("text_input_tokens", "cached_input_tokens"),
    image_tokens: sumOf("image_input_tokens"),
  };
  const output = {
    text_tokens: sumOf("text_output_tokens"),
    image_tokens: sumOf("image_output_tokens"),
  };
  const input_tokens = input.text_tokens + input.image_tokens;
  const output_tokens = output.text_tokens + output.image_tokens;
  return {
    input_tokens,
    input_tokens_details: input,
    output_tokens,
    output_tokens_details: output,
    total_tokens: input_tokens + output_tokens,
  };
}
