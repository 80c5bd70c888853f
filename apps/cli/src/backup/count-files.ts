import { megabytes } from "../megabytes.ts";
import { limitRemarks, progressMs } from "../remark.ts";

/**
 * Counts the files of a step, such as "Copying images", and reports them at most every five seconds: nothing of a
 * short step.
 *
 * @returns a function to call with the size of each file.
 */
export function countFiles(
  step: string,
  remark: (line: string) => void,
  now?: () => number,
): (bytes: number) => void {
  const report = limitRemarks(remark, progressMs, now);
  let files = 0;
  let total = 0;
  return (bytes) => {
    files += 1;
    total += bytes;
    report(`${step}: ${files} files, ${megabytes(total)} MB`);
  };
}
