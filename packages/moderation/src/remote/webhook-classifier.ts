import * as z from "zod";
import { moderationCategories } from "../policy.ts";
import { RemoteDown, type Classifier, type LocatedFinding } from "./classifier.ts";
import type { Post } from "./post.ts";
import { createVerdictCache } from "./verdict-cache.ts";

const refusal = { category: z.enum(moderationCategories), path: z.string().optional() };

const answerSchema = z.discriminatedUnion("verdict", [
  z.object({ verdict: z.literal("allow") }),
  z.object({ verdict: z.literal("refuse"), ...refusal }),
  z.object({ verdict: z.literal("uncertain"), ...refusal }),
]);

/**
 * A company's own policy engine: it receives the texts of a request with their paths, and decides for
 * all of them.
 */
export function createWebhookClassifier(post: Post): Classifier {
  const cache = createVerdictCache<LocatedFinding | null>();
  return {
    name: "webhook",
    async judgeTexts(texts, strictness, signal) {
      const key = [strictness, JSON.stringify(texts)];
      const known = cache.find(key);
      if (known !== undefined) return known;
      const read = (answer: unknown): LocatedFinding | null => {
        const parsed = answerSchema.parse(answer);
        if (parsed.verdict === "allow") return null;
        const { verdict, category, path = texts[0]?.path ?? "prompt" } = parsed;
        if (texts.every((text) => text.path !== path)) {
          throw new RemoteDown("malformed", "a path that was not sent");
        }
        return { category, certainty: verdict === "refuse" ? "certain" : "uncertain", path };
      };
      const sent = texts.map(({ path, text }) => ({ path, text }));
      const finding = await post("", { texts: sent, strictness }, read, signal);
      cache.add(key, finding);
      return finding;
    },
    judgeImage: null,
  };
}
