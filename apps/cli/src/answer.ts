/** What a command has to say: for programs, and for people. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** Beside the result, for a person at a terminal. */
  readonly note?: string;
  /** Other than 0 where the answer itself is bad news. */
  readonly exitCode?: number;
}

/** Rows under their headings, in columns of equal width. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) =>
    lines.reduce((width, cells) => Math.max(width, (cells[column] ?? "").length), 0),
  );
  return lines
    .map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Names and what they have, one on a line, in two columns. */
export function properties(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}
