import { escapeControls } from "@atelier/kit";

/** The result of a command, for programs and people. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** Cells of the text that a terminal shows in green or red. */
  readonly colors?: { readonly good: readonly string[]; readonly bad: readonly string[] };
  /** A note for users at a terminal. */
  readonly note?: string;
  /** Default: 0. */
  readonly exitCode?: number;
}

/** Adds a secret, which the service returns only once, before the other properties. */
export function withSecret(answer: Answer, secret: string): Answer {
  return {
    ...answer,
    text: `${secret}\n\n${answer.text}`,
    note: "It is shown only once. Store it now.",
  };
}

/** Formats rows as a table with aligned columns. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((cells) => cells.map(oneLine));
  const widths = headings.map((_, column) =>
    lines.reduce((width, cells) => Math.max(width, (cells[column] ?? "").length), 0),
  );
  return lines
    .map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Formats names and values in two columns. */
export function properties(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${oneLine(value)}`).join("\n");
}

/** Colours the cells of a table or of properties, which are apart by two spaces or more, for a terminal. */
export function paint(text: string, { good, bad }: NonNullable<Answer["colors"]>): string {
  const code = (cell: string) => (good.includes(cell) ? 32 : bad.includes(cell) ? 31 : null);
  return text
    .split(/(\n|(?<! ) {2,})/)
    .map((cell) => (code(cell) === null ? cell : `\u001b[${code(cell)}m${cell}\u001b[0m`))
    .join("");
}

/** A cell whose text cannot look like another row. */
const oneLine = (text: string) => escapeControls(text, { keeps: "" });
