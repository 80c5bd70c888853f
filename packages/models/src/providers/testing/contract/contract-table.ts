import { rows, type Row } from "./rows.ts";

/** The outcome of every row for every provider. */
export interface ContractTable {
  record(provider: string, row: Row, cell: string): void;
  /** Cells without a recorded outcome. */
  missing(): readonly string[];
  /** The table as text: one column per provider, followed by the reasons for `n/a`. */
  render(): string;
}

export function createContractTable(providers: readonly string[]): ContractTable {
  const cells = new Map<string, string>();
  const keyOf = (provider: string, row: Row): string => `${row} × ${provider}`;

  return {
    record(provider, row, cell) {
      cells.set(keyOf(provider, row), cell);
    },
    missing: () =>
      rows
        .flatMap((row) => providers.map((provider) => keyOf(provider, row)))
        .filter((key) => !cells.has(key)),
    render() {
      const reasons: string[] = [];
      const noted = (cell: string): string => {
        if (!cell.startsWith("n/a: ")) return cell;
        if (!reasons.includes(cell)) reasons.push(cell);
        return `n/a (${reasons.indexOf(cell) + 1})`;
      };
      const heads = column(["", ...rows]);
      const columns = providers.map((provider) =>
        column([provider, ...rows.map((row) => noted(cells.get(keyOf(provider, row)) ?? ""))]),
      );
      const blocks = inBlocks(columns, widthOf(heads)).map((block) =>
        heads.map((_, line) => [heads, ...block].map((cell) => cell[line]).join("  ")),
      );
      const notes = reasons.map((reason, index) => `(${index + 1}) ${reason}`);
      return [...blocks, notes]
        .map((lines) => lines.map((line) => line.trimEnd()).join("\n"))
        .join("\n\n");
    },
  };
}

const maxLineLength = 120;

/** Pads cells to equal width. */
function column(cells: readonly string[]): readonly string[] {
  const width = Math.max(...cells.map(({ length }) => length));
  return cells.map((cell) => cell.padEnd(width));
}

function widthOf(cells: readonly string[]): number {
  return cells[0]?.length ?? 0;
}

/** Splits the columns into blocks that fit on a line beside the row names. */
function inBlocks(
  columns: readonly (readonly string[])[],
  headsWidth: number,
): readonly (readonly (readonly string[])[])[] {
  const blocks: (readonly string[])[][] = [];
  let left = 0;
  for (const next of columns) {
    const width = widthOf(next) + 2;
    if (width > left) {
      blocks.push([]);
      left = maxLineLength - headsWidth;
    }
    blocks.at(-1)?.push(next);
    left -= width;
  }
  return blocks;
}
