import { knownLargeFolders, knownLongFiles } from "./exceptions.ts";
import { explanation, largestFolder, longestFile } from "./measure.ts";
import type { Measured } from "./measure.ts";

/** Finds files and folders that have become too large, and exceptions that are not needed any more. */
export function findProblems({ longFiles, largeFolders }: Measured): string[] {
  const problems = [
    ...longFiles
      .filter(({ name }) => !knownLongFiles.includes(name))
      .map(
        ({ name, lines }) =>
          `${name} has ${lines} lines; the limit is ${longestFile}. Split it, or say why not in a comment that begins with "${explanation}".`,
      ),
    ...largeFolders
      .filter(({ name }) => !knownLargeFolders.includes(name))
      .map(
        ({ name, files }) =>
          `${name} has ${files} files; the limit is ${largestFolder}. Group them by topic in folders.`,
      ),
  ];
  const large = new Set([...longFiles, ...largeFolders].map(({ name }) => name));
  for (const name of [...knownLongFiles, ...knownLargeFolders]) {
    if (large.has(name)) continue;
    problems.push(`${name} is small enough. Remove it from harness/size/exceptions.ts.`);
  }
  return problems;
}
