import { megabytes } from "../megabytes.ts";

const intervalMs = 5_000;

/**
 * Counts the files of a step, such as "Copying images", and reports them at most every five seconds: nothing of a
 * short step.
 *
 * @returns a function to call with the size of each file.
 */
export function countFiles(
  step: string,
  remark: (line: string) => void,
  now: () => number = () => performance.now(),
): (bytes: number) => void {
  let files = 0;
  let total = 0;
  let reportedAt = now();
  return (bytes) => {
    files += 1;
    total += bytes;
    if (now() - reportedAt < intervalMs) return;
    reportedAt = now();
    remark(`${step}: ${files} files, ${megabytes(total)} MB`);
  };
}
