import type { Measured, Size } from "./measure.ts";

type Figures = Pick<Measured, "packages" | "files">;

/** Draws frozen code: its size is not part of the total. */
const frozen = "packages/illustrator";

/** Prints the figures of each package beside those of the last release, and their ratio in total. */
export function printSizes(released: Figures & { readonly version: string }, now: Figures): string {
  const names = Object.keys({ ...released.packages, ...now.packages }).sort();
  const size = ({ packages }: Figures, name: string) => packages[name] ?? { lines: 0, files: 0 };
  const total = (figures: Figures) => {
    const counted = names.filter((name) => name !== frozen).map((name) => size(figures, name));
    return {
      lines: counted.reduce((sum, { lines }) => sum + lines, 0),
      files: counted.reduce((sum, { files }) => sum + files, 0),
    };
  };
  const before = total(released);
  const after = total(now);
  const rows: (string | number)[][] = [
    ["", `lines ${released.version}`, "now", "files", "now", "lines"],
    ...names
      .filter((name) => name !== frozen)
      .map((name) => row(name, size(released, name), size(now, name))),
    [...row("all", before, after), `${((100 * after.lines) / before.lines).toFixed(1)} %`],
    row(`${frozen} (frozen)`, size(released, frozen), size(now, frozen)),
    ["vocabulary", "", "", released.files.vocabulary, now.files.vocabulary],
    ["pictures", "", "", released.files.pictures, now.files.pictures],
  ];
  return rows
    .map(([name = "", ...figures]) =>
      [String(name).padEnd(30), ...figures.map((figure) => String(figure).padStart(11))].join(""),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function row(name: string, before: Size, after: Size) {
  return [name, before.lines, after.lines, before.files, after.files];
}
