import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

export interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** Places in the source code: file and line. */
  readonly places: readonly string[];
}

interface Found {
  readonly patterns: readonly Pattern[];
  /** Places that create a regular expression from a text. */
  readonly dynamic: readonly { readonly file: string; readonly text: string }[];
}

/** Collects the regular expressions of all production code, without duplicates. */
export function collectPatterns(root: string): Found {
  const patterns = new Map<string, { source: string; flags: string; places: string[] }>();
  const dynamic: { file: string; text: string }[] = [];
  const files = globSync("{apps,packages}/*/src/**/*.{ts,tsx}", {
    cwd: root,
    exclude: ["**/*.test.ts", "**/*.test.tsx", "**/testing/**", "**/generated/**"],
  });
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    const create = ({ callee, start, end }: { callee: object; start: number; end: number }) => {
      if (!("name" in callee) || callee.name !== "RegExp") return;
      dynamic.push({ file, text: text.slice(start, end) });
    };
    const visitor = new Visitor({
      Literal(node) {
        if (!("regex" in node)) return;
        const { pattern: source, flags } = node.regex;
        const line = text.slice(0, node.start).split("\n").length;
        const key = `/${source}/${flags}`;
        const known = patterns.get(key) ?? { source, flags, places: [] };
        known.places.push(`${file}:${line}`);
        patterns.set(key, known);
      },
      NewExpression: create,
      CallExpression: create,
    });
    visitor.visit(parseSync(file, text).program);
  }
  return { patterns: [...patterns.values()], dynamic };
}
