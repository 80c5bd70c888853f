import type { Strictness } from "@atelier/schemas";
import * as z from "zod";
import { moderationCategories, refusalCode, type ModerationCategory } from "../policy.ts";
import { gravest, type Finding } from "./classifier.ts";

interface Threshold {
  readonly category: ModerationCategory;
  /** The score from which it is refused; null: it is not. */
  readonly normal: number | null;
  readonly liberal: number | null;
}

/** The meaning of the scores of OpenAI's moderation, by its categories. */
export type Thresholds = Readonly<Record<string, Threshold>>;

/**
 * The default thresholds. The scores are the model's confidence, from 0 to 1, and change with each model:
 * check these after a change of model. What is illegal is refused at both levels alike, and with some
 * certainty, since it is answered with 451. Violence without gore is no category of the policy.
 */
export const defaultThresholds: Thresholds = {
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

const score = z.number().min(0).max(1).nullable();

/** Thresholds of the operator: what is left out keeps its default. */
export const thresholdChanges = z
  .record(
    z.string(),
    z.strictObject({
      category: z.enum(moderationCategories).optional(),
      normal: score.optional(),
      liberal: score.optional(),
    }),
  )
  .transform((changes, context): Thresholds => {
    const changed = Object.entries(changes).flatMap(([name, { category, normal, liberal }]) => {
      const known = defaultThresholds[name];
      const fail = (message: string) => {
        context.addIssue({ code: "custom", path: [name], message });
        return [];
      };
      const merged = {
        category: category ?? known?.category,
        normal: normal === undefined ? (known?.normal ?? null) : normal,
        liberal: liberal === undefined ? (known?.liberal ?? null) : liberal,
      };
      if (merged.category === undefined) return fail("category is required: it has no default");
      const { category: meaning } = merged;
      const isOff = merged.normal === null || merged.liberal === null;
      if (isOff && refusalCode(meaning) === "content_illegal") {
        return fail("normal and liberal must be numbers: the category belongs to the legal floor");
      }
      return [[name, { ...merged, category: meaning }] as const];
    });
    return { ...defaultThresholds, ...Object.fromEntries(changed) };
  });

/** Whether there is a score for everything that is refused at both levels: none is taken for granted. */
export function areComplete(
  scores: Readonly<Record<string, number>>,
  thresholds: Thresholds,
): boolean {
  return Object.entries(thresholds).every(
    ([name, { liberal }]) => liberal === null || name in scores,
  );
}

/** The gravest category that scores of OpenAI's moderation refuse; null for none. */
export function refusedByScores(
  scores: Readonly<Record<string, number>>,
  thresholds: Thresholds,
  strictness: Strictness,
): Finding | null {
  const refused = Object.entries(thresholds).flatMap(([name, threshold]): Finding[] => {
    const from = threshold[strictness];
    const isRefused = from !== null && (scores[name] ?? 0) >= from;
    return isRefused ? [{ category: threshold.category, certainty: "certain" }] : [];
  });
  return gravest(refused);
}
