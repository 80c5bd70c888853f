/*
 * Sources: developers.openai.com, "GPT Image 2.6 prompting guide"; apidog.com, "How to Use the
 * GPT-Image-2.6 API" (2026-11-05); the validation of PSOpenAI 5.2.0. Read on 2026-11-24.
 */

/** Values of `quality`; models before GPT Image 2.5 take the first three. */
export const openAiQualities = ["low", "medium", "high", "xhigh", "max"] as const;
export type OpenAiQuality = (typeof openAiQualities)[number];

/** Values of `complexity`, which exists since GPT Image 2.6. */
export const openAiComplexities = ["low", "medium", "high"] as const;
export type OpenAiComplexity = (typeof openAiComplexities)[number];

/**
 * The parameters that decide how many tokens an image takes. Models without the two highest qualities
 * use `high` instead, so that one setting fits all models of the provider.
 */
export function effortOf(model: string, quality: OpenAiQuality, complexity: OpenAiComplexity) {
  const isCapped = quality === "xhigh" || quality === "max";
  const hasHighest = /^gpt-image-2\.[56]-/.test(model);
  return {
    quality: isCapped && !hasHighest ? ("high" as const) : quality,
    ...(model.startsWith("gpt-image-2.6-") ? { complexity } : {}),
  };
}
