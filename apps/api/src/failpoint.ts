/** The steps of taking a request to generate, in their order, that an API process may die at. */
export type AcceptStep =
  /** It is planned; nothing is stored. */
  | "before-accept"
  /** It is committed and paid for; the queue knows nothing of it. */
  | "after-accept"
  | "after-dispatch"
  /** What there is to answer is known, also of a request that was sent again. */
  | "before-answer";

/**
 * Called at every step of taking a request. Tests put one in its place that kills the process, to show
 * that an API may die anywhere.
 */
export type Failpoint = (step: AcceptStep) => void;

/** What runs everywhere but in such tests: nothing. */
export function noFailpoint(): void {}
