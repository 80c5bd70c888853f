import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { countLines } from "./count-lines.ts";

export interface Size {
  readonly lines: number;
  readonly files: number;
}

export interface Measured {
  /** Production code by package, such as `apps/api`. */
  readonly packages: Readonly<Record<string, Size>>;
  /** Files of other kinds, by name. */
  readonly files: Readonly<Record<"vocabulary" | "pictures", number>>;
  /** Files above `longestFile` lines that do not say why. */
  readonly longFiles: readonly { readonly name: string; readonly lines: number }[];
  /** Folders with more than `largestFolder` files. */
  readonly largeFolders: readonly { readonly name: string; readonly files: number }[];
}

/** Lines of a file without a comment that says why it is longer. */
export const longestFile = 400;
/** Files of production code directly in one folder. */
export const largestFolder = 40;
/** Begins the comment of a longer file. */
export const explanation = `// Longer than ${longestFile} lines: `;

const noProduction = [
  "**/*.test.{ts,tsx}",
  "**/*.contract.ts",
  "**/{testing,generated}/**",
  // Servers that act as vendors, and the contracts that tests check providers with.
  "packages/models/src/providers/*/{server,contract}.ts",
  // Generated from the OpenAPI document.
  "packages/client/src/contract.ts",
];

/**
 * Counts production code: lines that are neither blank nor only comments, of TypeScript, CSS and C, without
 * tests, test tools, servers that act as vendors and generated files.
 */
export function measure(root: string): Measured {
  const packages: Record<string, { lines: number; files: number }> = {};
  const folders = new Map<string, number>();
  const longFiles: { name: string; lines: number }[] = [];
  const sources = globSync("{apps,packages}/*/src/**/*.{ts,tsx,css,c}", {
    cwd: root,
    exclude: noProduction,
  });
  for (const name of sources.sort()) {
    const text = readFileSync(join(root, name), "utf8");
    const lines = countLines(text);
    const size = (packages[name.split("/", 2).join("/")] ??= { lines: 0, files: 0 });
    size.lines += lines;
    size.files += 1;
    folders.set(dirname(name), (folders.get(dirname(name)) ?? 0) + 1);
    if (lines > longestFile && !text.includes(explanation)) longFiles.push({ name, lines });
  }
  const count = (pattern: string) => globSync(pattern, { cwd: root }).length;
  return {
    packages,
    files: {
      vocabulary: count("packages/moderation/vocabulary/**/*.txt"),
      pictures: count("docs/images/**/*.{png,webp,jpg,svg}"),
    },
    longFiles,
    largeFolders: [...folders]
      .filter(([, files]) => files > largestFolder)
      .map(([name, files]) => ({ name, files })),
  };
}
