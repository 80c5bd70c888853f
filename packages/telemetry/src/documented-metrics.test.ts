import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");

it("documents every metric in docs/observability.md", async () => {
  const sources = await Promise.all(
    ["api-metrics.ts", "worker-metrics.ts", "server-metrics.ts", "starved-counter.ts"].map(read),
  );
  const names = sources.flatMap((source) =>
    [...source.matchAll(/"(atelier_\w+)"/g)].map(([, name]) => name ?? ""),
  );
  const page = await read("../../../docs/observability.md");
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !new RegExp(`^\\| \`${name}[{\`]`, "m").test(page))).toEqual([]);
});
