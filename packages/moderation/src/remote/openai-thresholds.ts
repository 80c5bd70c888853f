import type { Strictness } from "@atelier/schemas";
import { gravity, type ModerationCategory } from "../policy.ts";

interface Threshold {
  readonly category: ModerationCategory;
  /** The score from which it is refused; null: it is not. */
  readonly normal: number | null;
  readonly liberal: number | null;
}

/**
 * What a score of OpenAI's moderation means here, by its category. The scores are its confidence, from
 * 0 to 1, and move with each new model: check these after a change of model. What is illegal
 * is refused at both levels alike, and with some certainty, since it is answered with 451. Violence
 * without gore is no category of the policy.
 */
const thresholds: Readonly<Record<string, Threshold>> = {
  "sexual/minors": { category: "sexual_minors", normal: 0.4, liberal: 0.4 },
  "illicit/violent": { category: "terrorism_incitement", normal: 0.9, liberal: 0.9 },
  hate: { category: "hate", normal: 0.5, liberal: 0.8 },
  "hate/threatening": { category: "hate", normal: 0.4, liberal: 0.6 },
  harassment: { category: "hate", normal: 0.85, liberal: null },
  "harassment/threatening": { category: "hate", normal: 0.8, liberal: null },
  "self-harm": { category: "self_harm", normal: 0.6, liberal: 0.7 },
  "self-harm/intent": { category: "self_harm", normal: 0.6, liberal: 0.7 },
  "self-harm/instructions": { category: "self_harm", normal: 0.4, liberal: 0.5 },
  sexual: { category: "sexual", normal: 0.5, liberal: null },
  "violence/graphic": { category: "gore", normal: 0.6, liberal: null },
  illicit: { category: "drugs_profanity", normal: 0.9, liberal: null },
};

/** Whether there is a score for everything that is refused at both levels: none is taken for granted. */
export function areComplete(scores: Readonly<Record<string, number>>): boolean {
  return Object.entries(thresholds).every(
    ([name, { liberal }]) => liberal === null || name in scores,
  );
}

/** The gravest category that scores of OpenAI's moderation refuse; null for none. */
export function refusedByScores(
  scores: Readonly<Record<string, number>>,
  strictness: Strictness,
): ModerationCategory | null {
  const refused = Object.entries(thresholds).flatMap(([name, threshold]) => {
    const from = threshold[strictness];
    return from !== null && (scores[name] ?? 0) >= from ? [threshold.category] : [];
  });
  return gravest(refused);
}

/** The gravest of several categories; null for an empty list. */
export function gravest(categories: readonly ModerationCategory[]): ModerationCategory | null {
  return categories.toSorted((a, b) => gravity(a) - gravity(b))[0] ?? null;
}
