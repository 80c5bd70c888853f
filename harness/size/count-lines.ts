/**
 * Counts the lines of a source text that are neither blank nor only a comment. Reads text line by line:
 * the formatter puts comments on lines of their own, and code before a comment counts as code.
 */
export function countLines(text: string): number {
  let count = 0;
  let inComment = false;
  for (const line of text.split("\n")) {
    let rest = line.trim();
    if (rest.startsWith("{/*")) rest = rest.slice(1);
    if (inComment || rest.startsWith("/*")) {
      const end = rest.indexOf("*/", inComment ? 0 : 2);
      inComment = end === -1;
      rest = inComment ? "" : rest.slice(end + 2).trim();
      if (rest === "}") continue;
    }
    if (rest !== "" && !rest.startsWith("//")) count += 1;
  }
  return count;
}
