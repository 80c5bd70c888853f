/** Comments and quoted names, which may contain braces and may be unterminated, and braces. */
const parts = /\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\/\/[^\n]*|#[^\n]*|"(?:[^"\\]|\\[^]?)*"?|\{/g;

/**
 * Inserts attributes after the first brace of a graph in DOT, so that those of the source override them.
 * Takes linear time.
 */
export function insertAtStart(dot: string, attributes: string): string {
  for (const { 0: part, index } of dot.matchAll(parts)) {
    if (part === "{") return `${dot.slice(0, index + 1)}\n${attributes}\n${dot.slice(index + 1)}`;
  }
  return dot;
}
