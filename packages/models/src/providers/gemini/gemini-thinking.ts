/*
 * Sources: ai.google.dev, "Image generation", for `thinkingConfig.thinkingLevel` of image models, and the
 * type `ThinkingConfig` of @google/genai 3.1.0; skills.sh/jpcaparas/skills/nanobanana (2026-10-18) and the
 * tables of public clients for the levels of Nano Banana 2.1: minimal, medium (its default) and high. Gemini
 * 3 Pro Image thinks as much as it wants. Read on 2026-11-24.
 */

/** How much Nano Banana 2.1 thinks before it makes an image. */
export const geminiThinking = ["minimal", "medium", "high"] as const;
export type GeminiThinking = (typeof geminiThinking)[number];

/** The part of `generationConfig` for a level; empty for models that take none. */
export function describeThinking(model: string, level: GeminiThinking | undefined): object {
  if (level === undefined || !model.startsWith("gemini-nano-banana-2.")) return {};
  return { thinkingConfig: { thinkingLevel: level.toUpperCase() } };
}
