/** Categories of refusals: one per row of the policy, the gravest first. */
export const categories = [
  "sexual_minors",
  "real_person_sexual",
  "terrorism_incitement",
  "forgery",
  "hate",
  "self_harm",
  "deceptive_public_figure",
  "sexual",
  "gore",
  "drugs_profanity",
] as const;

export type ModerationCategory = (typeof categories)[number];

const illegal: ReadonlySet<ModerationCategory> = new Set<ModerationCategory>([
  "sexual_minors",
  "real_person_sexual",
  "terrorism_incitement",
  "forgery",
]);

/** The error code of a refusal: `content_illegal` (451, at every strictness) or a matter of policy (422). */
export function refusalCode(
  category: ModerationCategory,
): "content_policy_violation" | "content_illegal" {
  return illegal.has(category) ? "content_illegal" : "content_policy_violation";
}

/** 0 is the gravest. */
export function gravity(category: ModerationCategory): number {
  return categories.indexOf(category);
}
