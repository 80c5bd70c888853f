/** Steps of accepting a generation request, in order, at which tests kill the API process. */
export type AcceptStep =
  /** The request is planned; nothing is stored. */
  | "before-accept"
  /** The generation is committed and its price held; nothing is queued. */
  | "after-accept"
  | "after-dispatch"
  /** The file of an upload is stored; its row does not say so. */
  | "after-upload"
  /** The response is known; a repeated request reaches this step too. */
  | "before-response";

/**
 * Called at every step of accepting a request. Tests pass a function that kills the process, to show
 * that an API may die at any step.
 */
export type Failpoint = (step: AcceptStep) => void;

/** The failpoint outside of tests: does nothing. */
export function noFailpoint(): void {}
