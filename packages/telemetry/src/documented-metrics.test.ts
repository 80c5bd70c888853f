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

it.each([
  ["api-metrics.ts", ["Database metrics, from every API process", "Counters of each API process"]],
  ["worker-metrics.ts", ["Counters of each worker"]],
])("documents the metrics of %s with the program that exports them", async (source, headings) => {
  const page = await read("../../../docs/observability.md");
  const sections = page
    .split(/^### /m)
    .filter((text) => headings.includes(text.split("\n")[0] ?? ""));
  const names = [...(await read(source)).matchAll(/"(atelier_\w+)"/g)].map(
    ([, name]) => name ?? "",
  );
  const documented = sections.join("\n");
  expect(sections).toHaveLength(headings.length);
  expect(names.filter((name) => !documented.includes(`\`${name}`))).toEqual([]);
});
