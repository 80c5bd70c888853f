import * as z from "zod";
import { RemoteDown, gravest, type Classifier, type Finding } from "./classifier.ts";
import {
  areComplete,
  defaultThresholds,
  refusedByScores,
  type Thresholds,
} from "./openai-thresholds.ts";
import type { Post } from "./post.ts";
import { toSmallDataUrl } from "./shrink-image.ts";
import { createVerdictCache } from "./verdict-cache.ts";

const responseSchema = z.object({
  results: z.array(z.object({ category_scores: z.record(z.string(), z.number()) })),
});

/**
 * OpenAI's `POST /moderations`. Compares its scores with thresholds of the strictness, and ignores its
 * `flagged`. It scores images for self-harm, sex and violence only; `sexual/minors` is for texts.
 *
 * Source: the vendor's SDK (openai 7.55.0) for fields and categories. Not run against the live service.
 */
export function createOpenAiClassifier(
  model: string,
  post: Post,
  thresholds: Thresholds = defaultThresholds,
): Classifier {
  const cache = createVerdictCache<Finding | null>();

  function score(input: unknown, count: number, signal: AbortSignal) {
    const read = (response: unknown) => {
      const { results } = responseSchema.parse(response);
      const scores = results.map(({ category_scores }) => category_scores);
      if (scores.length !== count || !scores.every((given) => areComplete(given, thresholds))) {
        throw new RemoteDown("malformed", "a response without all scores");
      }
      return scores;
    };
    return post("moderations", { model, input }, read, signal);
  }

  return {
    name: model,
    async judgeTexts(texts, strictness, signal) {
      const keyOf = (text: string) => [model, strictness, text];
      const findings = new Map<string, Finding | null>();
      for (const { text } of texts) {
        const known = cache.find(keyOf(text));
        if (known !== undefined) findings.set(text, known);
      }
      const input = texts.map(({ text }) => text).filter((text) => !findings.has(text));
      const scores = input.length === 0 ? [] : await score(input, input.length, signal);
      for (const [index, text] of input.entries()) {
        const finding = refusedByScores(scores[index] ?? {}, thresholds, strictness);
        cache.add(keyOf(text), finding);
        findings.set(text, finding);
      }
      return gravest(
        texts.flatMap(({ path, text }) => {
          const finding = findings.get(text) ?? null;
          return finding === null ? [] : [{ ...finding, path }];
        }),
      );
    },
    async judgeImage(image, strictness, signal) {
      const url = await toSmallDataUrl(image);
      const [scores = {}] = await score([{ type: "image_url", image_url: { url } }], 1, signal);
      return refusedByScores(scores, thresholds, strictness);
    },
  };
}
