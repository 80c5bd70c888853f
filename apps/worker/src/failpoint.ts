/** The steps of a render, in their order, that a worker may die at. */
export const renderSteps = [
  "after-claim",
  "after-moderation",
  "after-intent",
  "after-provider-answer",
  "after-staging",
  "after-marking",
  "in-upload",
  "before-finish",
  "after-finish",
] as const;

export type RenderStep = (typeof renderSteps)[number];

/**
 * Called at every step of a render. Tests put one in its place that kills the process, to show that
 * a worker may die anywhere.
 */
export type Failpoint = (step: RenderStep) => void;

/** What runs everywhere but in such tests: nothing. */
export function noFailpoint(): void {}
