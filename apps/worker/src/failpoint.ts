/** The steps of a render, in their order, that a worker may die at. */
export type RenderStep =
  | "after-claim"
  | "after-moderation"
  | "after-intent"
  | "after-provider-answer"
  | "after-staging"
  | "after-marking"
  | "in-upload"
  | "before-finish"
  | "after-finish";

/**
 * Called at every step of a render. Tests put one in its place that kills the process, to show that
 * a worker may die anywhere.
 */
export type Failpoint = (step: RenderStep) => void;

/** What runs everywhere but in such tests: nothing. */
export function noFailpoint(): void {}
