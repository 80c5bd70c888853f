import { glob, readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const root = new URL("../../..", import.meta.url);

/** Volatile functions that make ids. Times are of `now()`, which is stable; `clock_timestamp()` is for rows that are locked. */
const volatile = "(?:uuidv7|uuidv4|gen_random_uuid)";

/** A volatile call beside a comparison, also within `coalesce`, `greatest` or `least`. */
const bare = new RegExp(
  `(?:[<>=]|\\bBETWEEN|\\bBETWEEN\\s[^,;]{1,200}?\\sAND)\\s*(?:ANY\\s*)?(?:\\(\\s*)*(?:(?:coalesce|greatest|least)\\s*\\([^()]*)?${volatile}\\s*\\(`,
  "gi",
);

/** A volatile call in a scalar subquery beside a comparison, with its arguments. */
const scalar = new RegExp(`[<>=]\\s*\\(\\s*SELECT\\s+${volatile}\\s*\\(([^;\`]*?)\\)\\s*\\)`, "gi");

/** Whether arguments have more than literals, casts, parameters and intervals: then they name a column. */
function namesColumn(args: string): boolean {
  const rest = args
    .replaceAll(/'[^']*'|::\w+|:\w+|\$\d+|\$\{[^}]*\}/g, "")
    .replaceAll(/\b(?:interval|now|coalesce)\b/gi, "");
  return /[a-z_]/i.test(rest);
}

/** Lists the comparisons in a text that no index can be used for. */
function findVolatileBounds(text: string): string[] {
  const correlated = [...text.matchAll(scalar)].filter(([, args = ""]) => namesColumn(args));
  return [...text.matchAll(bare), ...correlated].map(([found]) => found);
}

it.each([
  "id > uuidv7(interval '-1 minute')",
  "id >= uuidv7(generation.created_at - now())",
  "id > coalesce(:after::uuid, uuidv7(interval '-1 day'))",
  "id BETWEEN uuidv7(interval '-1 day') AND $1",
  "id BETWEEN $1 AND uuidv7(interval '-1 day')",
  "id >= (SELECT uuidv7(generation.created_at - now()))",
  "id <= (SELECT uuidv7(coalesce(completed_at, now()) - now()))",
])("finds the volatile bound in: %s", (text) => {
  expect(findVolatileBounds(text)).toHaveLength(1);
});

it.each([
  "id > (SELECT uuidv7(interval '-1 minute'))",
  "id > (SELECT uuidv7(:oldestMs::float8 * interval '-1 ms'))",
  "SELECT uuidv7(generation.created_at - now()) AS first_id",
  "id BETWEEN first_id AND last_id",
])("accepts: %s", (text) => {
  expect(findVolatileBounds(text)).toEqual([]);
});

/**
 * A volatile function may have another result for each row, so Postgres calls it for each row of the table instead of
 * reading an index. Write an uncorrelated bound as `(SELECT uuidv7(…))`, and compute a correlated one in a `MATERIALIZED`
 * query, or a `LATERAL` one with `OFFSET 0`.
 */
it("no SQL compares a column with a volatile function", async () => {
  const files = glob("{apps,packages,harness}/**/*.{ts,sql}", {
    cwd: root,
    exclude: (path) => /node_modules|\/dist\/|\/generated\/|\.test\.ts$/.test(path),
  });
  const found: string[] = [];
  let read = 0;
  for await (const file of files) {
    read++;
    for (const bound of findVolatileBounds(await readFile(new URL(file, root), "utf8"))) {
      found.push(`${file}: ${bound}`);
    }
  }
  expect(read).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
