import { glob, readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const root = new URL("../../..", import.meta.url);
const usesPrisma = /\.prisma\(\)/;
const usesSql = /\.query[<(]|\bstatement\(|\btransaction\(/;

it("no source file uses both Prisma and SQL", async () => {
  const files = glob("{apps,packages,harness}/**/*.ts", {
    cwd: root,
    exclude: (path) => /node_modules|packages\/database\/|\.test\.ts$/.test(path),
  });
  const prisma: string[] = [];
  const both: string[] = [];
  for await (const file of files) {
    const text = await readFile(new URL(file, root), "utf8");
    if (!usesPrisma.test(text)) continue;
    prisma.push(file);
    if (usesSql.test(text)) both.push(file);
  }
  expect(prisma).not.toEqual([]);
  expect(both).toEqual([]);
});
