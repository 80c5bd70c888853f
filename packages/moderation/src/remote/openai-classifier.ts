import * as z from "zod";
import { ClassifierDown, type Classifier } from "./classifier.ts";
import { areComplete, refusedByScores } from "./openai-thresholds.ts";
import type { Post } from "./post.ts";
import { toSmallDataUrl } from "./shrink-image.ts";

const answerSchema = z.object({
  results: z.array(z.object({ category_scores: z.record(z.string(), z.number()) })),
});

/**
 * OpenAI's `POST /moderations`. Its scores count, and not its `flagged`: what is refused depends on the
 * strictness. Images are scored for self-harm, sex and violence alone; `sexual/minors` is of texts.
 *
 * Source: the vendor's SDK (openai 7.55.0) for fields and categories. Not run against the live service.
 */
export function createOpenAiClassifier(model: string, post: Post): Classifier {
  function score(input: unknown, count: number, signal: AbortSignal) {
    const read = (answer: unknown) => {
      const { results } = answerSchema.parse(answer);
      const scores = results.map(({ category_scores }) => category_scores);
      if (scores.length !== count || !scores.every(areComplete)) {
        throw new ClassifierDown("malformed", "a response without all scores");
      }
      return scores;
    };
    return post("moderations", { model, input }, read, signal);
  }

  return {
    name: model,
    async judgeTexts(texts, strictness, signal) {
      const scores = await score(texts, texts.length, signal);
      return scores.map((of) => refusedByScores(of, strictness));
    },
    async judgeImage(image, strictness, signal) {
      const url = await toSmallDataUrl(image);
      const [scores = {}] = await score([{ type: "image_url", image_url: { url } }], 1, signal);
      return refusedByScores(scores, strictness);
    },
  };
}
