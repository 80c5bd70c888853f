import { glob, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { findCapturedState } from "./find-captured-state.ts";

const root = new URL("../..", import.meta.url);

/** Variables that survive a run that was rolled back, by file, and why they are right. */
const exceptions: Readonly<Record<string, string>> = {
  "packages/billing/src/open-account.ts outcome": "Used for an account of this call alone.",
  "packages/billing/src/open-account.ts stored": "A key in a file, which no rollback removes.",
  "apps/cli/src/remove-share.ts id": "The row is gone, as the operator wants.",
  "packages/generations/src/cast/change-member.ts written": "Compared with the row.",
  "packages/generations/src/cast/delete-member.ts isDeleted":
    "The row is gone, as the caller wants.",
  "packages/generations/src/endings/cancel.ts before": "Used if its transfer was committed.",
  "packages/generations/src/library/items.ts isDeleted": "The row is gone, as the caller wants.",
};

describe("callbacks of transactions", () => {
  it("assign no variable of their surroundings, except those that are listed with a reason", async () => {
    const found: string[] = [];
    let read = 0;
    for await (const file of glob("{apps,packages}/*/src/**/*.ts", { cwd: root })) {
      if (/\.test\.ts$|\/generated\/|\/testing\//.test(file)) continue;
      const text = await readFile(new URL(file, root), "utf8");
      if (!text.includes(".transaction(")) continue;
      read++;
      found.push(...findCapturedState(text).map((name) => `${file} ${name}`));
    }
    expect(read).toBeGreaterThan(20);
    expect([...found].sort()).toEqual(Object.keys(exceptions).sort());
  });
});

describe("the search for such variables", () => {
  it("finds what a run that was rolled back would leave", () => {
    expect(
      findCapturedState(`
        let before = null;
        let runs = 0;
        const seen = {};
        await database.transaction(async (sql) => {
          let rows = 0;
          rows += 1;
          runs++;
          seen.last = rows;
          return (before = await end(sql));
        });`),
    ).toEqual(["runs", "seen", "before"]);
  });

  it("leaves out variables of the callback and of other functions", () => {
    expect(
      findCapturedState(`
        let total = 0;
        total += 1;
        await database.transaction(async (sql) => {
          for (let row = 0; row < 3; row++) await sql.query(row);
        });`),
    ).toEqual([]);
  });
});
