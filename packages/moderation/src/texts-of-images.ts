import type { RenderSpec, Strictness } from "@atelier/schemas";
import { oneLine } from "./judge-in-parts.ts";
import type { ModerationRequest, ModerationText } from "./moderation-request.ts";

/** The fields of an image that moderation reads. */
type JudgedImage = Pick<RenderSpec, "prompt" | "composedOf" | "texts" | "hasClientImages">;

/**
 * Everything that the images of one generation are made from, each text once: the client's texts, and
 * the prompts that the service composed of them.
 */
export function requestOfImages(
  images: readonly JudgedImage[],
  strictness: Strictness,
): ModerationRequest {
  const own = new Map<string, ModerationText>();
  const composed = new Map<string, ModerationText>();
  const addOwn = (path: string, text: string) => own.set(`${path}\n${text}`, { path, text });
  for (const { path, text } of images.flatMap(({ texts }) => texts)) addOwn(path, text);
  for (const { prompt, composedOf } of images) {
    const path = composedOf?.[0] ?? "prompt";
    // A diagram of a source has no prompt. A raw prompt is the client's own text.
    if (prompt === "" || own.has(`${path}\n${prompt}`)) continue;
    if (composedOf === undefined) addOwn(path, prompt);
    else composed.set(prompt, { path, text: prompt, composedOf });
  }
  return {
    texts: [...own.values(), ...composed.values()],
    strictness,
    hasClientImages: images.some(({ hasClientImages }) => hasClientImages),
  };
}

/**
 * The texts of a request that a remote model is asked about, each once: the composed prompts, and the
 * client's texts that none of them contains.
 */
export function textsToAsk(texts: readonly ModerationText[]): ModerationText[] {
  const prompts = texts
    .filter(({ composedOf }) => composedOf !== undefined)
    .map(({ text }) => oneLine(text));
  const asked = new Map<string, ModerationText>();
  for (const text of texts) {
    const line = oneLine(text.text);
    const isContained =
      text.composedOf === undefined && prompts.some((prompt) => prompt.includes(line));
    if (line !== "" && !isContained && !asked.has(line)) asked.set(line, text);
  }
  return [...asked.values()];
}
