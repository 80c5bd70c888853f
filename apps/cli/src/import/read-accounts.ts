import { UsageError } from "@atelier/configuration";
import {
  keyMode,
  newName,
  parseEur,
  strictness,
  type KeyMode,
  type Strictness,
} from "@atelier/schemas";
import { CsvError, parse } from "csv-parse/sync";
import * as z from "zod";

/** An account of an import, with the line that has it. */
export interface ImportedAccount {
  readonly line: number;
  readonly externalId: string;
  readonly name: string;
  readonly strictness: Strictness | null;
  readonly creditMicroEur: bigint;
  readonly keyName: string;
  readonly keyMode: KeyMode;
}

const credit = z.string().transform((text, context) => {
  try {
    return parseEur(text);
  } catch {
    context.addIssue({ code: "custom", message: "must be an amount in EUR such as 10 or 0.25" });
    return z.NEVER;
  }
});

const columns = z.strictObject({
  external_id: newName,
  name: newName,
  credit_eur: z.coerce.string().pipe(credit).default(0n),
  strictness: strictness.nullable().default(null),
  key_name: newName.default("key"),
  key_mode: keyMode.default("live"),
});

/** Problems that one error names. */
const maxProblems = 20;

/**
 * Reads accounts from JSON lines, or from CSV (RFC 4180) whose first line has the names of the columns: `external_id`,
 * `name`, and where they differ from the default `credit_eur`, `strictness`, `key_name` and `key_mode`.
 *
 * @throws UsageError that names the lines, before anything is imported.
 */
export function readAccounts(text: string): readonly ImportedAccount[] {
  const rows = text.trimStart().startsWith("{") ? readJsonLines(text) : readCsv(text);
  const problems: string[] = [];
  const accounts: ImportedAccount[] = [];
  const lines = new Map<string, number>();
  for (const { line, value } of rows) {
    const { data, error } = columns.safeParse(value);
    if (data === undefined) {
      problems.push(
        ...error.issues.map(
          ({ path, message }) => `line ${line}: ${[...path.map(String), message].join(" ")}`,
        ),
      );
      continue;
    }
    const earlier = lines.get(data.external_id);
    if (earlier !== undefined) {
      problems.push(`line ${line}: external_id "${data.external_id}" is that of line ${earlier}`);
    }
    lines.set(data.external_id, line);
    accounts.push({
      line,
      externalId: data.external_id,
      name: data.name,
      strictness: data.strictness,
      creditMicroEur: data.credit_eur,
      keyName: data.key_name,
      keyMode: data.key_mode,
    });
  }
  if (problems.length > 0) {
    const more = problems.length - maxProblems;
    const shown = problems.slice(0, maxProblems).join("; ");
    throw new UsageError(`Nothing was imported. ${shown}${more > 0 ? `; and ${more} more` : ""}.`);
  }
  if (accounts.length === 0) throw new UsageError("The file has no accounts.");
  return accounts;
}

interface Row {
  readonly line: number;
  readonly value: unknown;
}

function readJsonLines(text: string): Row[] {
  return text.split("\n").flatMap((content, index): Row[] => {
    if (content.trim() === "") return [];
    const line = index + 1;
    try {
      return [{ line, value: JSON.parse(content) as unknown }];
    } catch (cause) {
      throw new UsageError(`Nothing was imported. line ${line}: is not JSON.`, { cause });
    }
  });
}

function readCsv(text: string): Row[] {
  const [header, ...records] = parseCsv(text);
  const names = header?.cells.map((name) => name.trim()) ?? [];
  return records.map(({ line, cells }) => {
    if (cells.length > names.length) {
      throw new UsageError(
        `Nothing was imported. line ${line}: has ${cells.length} cells, and the first line names ${names.length}.`,
      );
    }
    const filled = cells.flatMap((cell, column): [string, string][] =>
      cell === "" ? [] : [[names[column] ?? "", cell]],
    );
    return { line, value: Object.fromEntries(filled) };
  });
}

/** Parses records of CSV with the lines on which they begin; empty lines are left out. */
function parseCsv(text: string): { line: number; cells: string[] }[] {
  const records: { line: number; cells: string[] }[] = [];
  // Within quotes, a line that ends with CRLF would be counted as two.
  const content = text.replaceAll("\r\n", "\n");
  try {
    parse(content, {
      bom: true,
      record_delimiter: "\n",
      relax_column_count: true,
      // Quotes inside of a cell that does not begin with one are part of it.
      relax_quotes: true,
      skip_empty_lines: true,
      on_record(cells: string[], { lines }) {
        // `lines` is the number of its last line.
        const line = lines - cells.join("").split("\n").length + 1;
        const unclosed = cells.find(
          (cell) => cell.startsWith('"') && !content.includes(quote(cell)),
        );
        if (unclosed !== undefined) {
          throw new UsageError(
            `Nothing was imported. line ${line}: ${unclosed} has text after its closing quote.`,
          );
        }
        records.push({ line, cells });
        return null;
      },
    });
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new UsageError(`Nothing was imported. ${cause.message}.`, { cause });
  }
  return records;
}

/** Returns the cell in quotes, with those inside doubled. */
function quote(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
