/** A cell of a table; texts were chosen by people. */
export type CsvCell = string | number;

/**
 * Writes a table as CSV (RFC 4180). All texts are quoted, and no spreadsheet reads one as a formula, also if it
 * separates cells by semicolons or tabs, where quotation marks in the middle of a line have no effect
 * (OWASP, CSV injection).
 *
 * @param columns names of the columns, in ASCII letters.
 */
export function toCsv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows.map((row) => row.map(toCell))]
    .map((line) => `${line.join(",")}\r\n`)
    .join("");
}

function toCell(value: CsvCell): string {
  const text = String(value);
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return text;
  return `"${disarm(text).replaceAll('"', '""')}"`;
}

/** Before signs that begin a formula at the start of a cell, and their full-width forms. */
const beforeFormula = /(?<=^|[;\t\r\n])(?=[ "']*[=+\-@＝＋－＠\t\r])/g;

function disarm(text: string): string {
  return text.replace(beforeFormula, "'");
}
