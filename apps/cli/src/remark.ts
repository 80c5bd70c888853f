import type { Output } from "./output.ts";

/** Reports progress, or a problem that does not end the command. */
export type Remark = (line: string, isProblem?: boolean) => void;

/** Between two lines of progress of one step. */
export const progressMs = 5_000;

/** Between two lines of progress that do not go to a terminal. */
const intervalMs = 10_000;

/**
 * Writes remarks as lines: on a terminal all of them; elsewhere all problems, and progress at most every ten seconds, so
 * that a short command writes none.
 */
export function createRemark(
  output: Output,
  interactive: boolean,
  now: () => number = () => performance.now(),
): Remark {
  const write = (line: string) => void output.write(`${line}\n`);
  return interactive ? write : limitRemarks(write, intervalMs, now);
}

/** Passes on problems, and progress only after an interval without a line of it. */
export function limitRemarks(
  remark: Remark,
  everyMs: number,
  now: () => number = () => performance.now(),
): Remark {
  let passedAt = now();
  return (line, isProblem = false) => {
    if (!isProblem && now() - passedAt < everyMs) return;
    if (!isProblem) passedAt = now();
    remark(line, isProblem);
  };
}
