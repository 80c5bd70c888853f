import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { explanation, largestFolder, longestFile, measure } from "./measure.ts";

const roots: string[] = [];

function measureFiles(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "size-"));
  roots.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return measure(root);
}

afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true });
});

describe("measure", () => {
  it("counts production code by package, and vocabulary and pictures apart", () => {
    const { packages, files } = measureFiles({
      "apps/api/src/main.ts": "// Starts.\nstart();\n",
      "apps/api/src/main.test.ts": "start();\n",
      "apps/api/test/main.ts": "start();\n",
      "packages/kit/src/a/style.css": "a {\n}\n",
      "packages/kit/src/testing/fake.ts": "fake();\n",
      "packages/client/src/contract.ts": "generated();\n",
      "packages/models/src/providers/fal/server.ts": "fake();\n",
      "packages/models/src/providers/fal/fal.ts": "call();\n",
      "packages/moderation/vocabulary/en.txt": "word\n",
      "docs/images/studio/create.webp": "",
    });
    expect(packages).toEqual({
      "apps/api": { lines: 1, files: 1 },
      "packages/kit": { lines: 2, files: 1 },
      "packages/models": { lines: 1, files: 1 },
    });
    expect(files).toEqual({ vocabulary: 1, pictures: 1 });
  });

  it("names files that are too long, unless a comment says why", () => {
    const long = "call();\n".repeat(longestFile + 1);
    const { longFiles } = measureFiles({
      "apps/api/src/long.ts": long,
      "apps/api/src/table.ts": `${explanation}one table.\n${long}`,
    });
    expect(longFiles).toEqual([{ name: "apps/api/src/long.ts", lines: longestFile + 1 }]);
  });

  it("names folders with too many files, without those of tests", () => {
    const names = Array.from({ length: largestFolder }, (_, index) => `apps/api/src/a/${index}`);
    const texts = Object.fromEntries(
      names.flatMap((name) => [
        [`${name}.ts`, ""],
        [`${name}.test.ts`, ""],
      ]),
    );
    expect(measureFiles(texts).largeFolders).toEqual([]);
    expect(measureFiles({ ...texts, "apps/api/src/a/one-more.ts": "" }).largeFolders).toEqual([
      { name: "apps/api/src/a", files: largestFolder + 1 },
    ]);
  });
});
