/** Steps of a render, in order, at which tests kill the worker. */
export const renderSteps = [
  "after-claim",
  "after-moderation",
  "after-intent",
  "after-provider-answer",
  "after-staging",
  "between-steps",
  "after-marking",
  "in-upload",
  "before-finish",
  "after-finish",
] as const;

export type RenderStep = (typeof renderSteps)[number];

/**
 * Called at every step of a render. Tests pass a function that kills the process, to show that a
 * worker may die at any step.
 */
export type Failpoint = (step: RenderStep) => void;

/** The failpoint outside of tests: does nothing. */
export function noFailpoint(): void {}
