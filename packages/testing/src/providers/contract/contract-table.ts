import { rows, type Row } from "./rows.ts";

/** What came of every row with every provider. */
export interface ContractTable {
  record(provider: string, row: Row, cell: string): void;
  /** Cells that nothing was recorded for. */
  missing(): readonly string[];
  /** The table as text: one column for each provider, reasons of `n/a` beneath. */
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
      const lines = rows.map((row) => [
        row,
        ...providers.map((provider) => {
          const cell = cells.get(keyOf(provider, row)) ?? "";
          if (!cell.startsWith("n/a: ")) return cell;
          if (!reasons.includes(cell)) reasons.push(cell);
          return `n/a (${reasons.indexOf(cell) + 1})`;
        }),
      ]);
      const table = [["", ...providers], ...lines];
      const widths = table[0]?.map((_, column) =>
        Math.max(...table.map((line) => line[column]?.length ?? 0)),
      );
      return [
        ...table.map((line) =>
          line
            .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
            .join("  ")
            .trimEnd(),
        ),
        ...reasons.map((reason, index) => `(${index + 1}) ${reason}`),
      ].join("\n");
    },
  };
}
