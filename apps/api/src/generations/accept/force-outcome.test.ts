import { adminErrors, errorStatus } from "@atelier/schemas";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { forcingPrompts } from "./force-outcome.ts";

const documentation = await readFile(
  new URL("../../../../../docs/test-keys.md", import.meta.url),
  "utf8",
);

it("is documented for every error code with its status", () => {
  const [, table = ""] = documentation.split("## Every error");
  const rows = Array.from(table.matchAll(/^\| (\d{3}) +\| `(\w+)` +\|/gm), (row) => [
    row[2],
    Number(row[1]),
  ]);
  const statuses = Object.entries(errorStatus).filter(
    ([code]) => !Object.hasOwn(adminErrors, code),
  );
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(statuses));
});

it("is documented for every prompt", () => {
  for (const prompt of forcingPrompts) {
    expect(documentation).toContain(`\`${prompt.replace("<seconds>", "30")}\``);
  }
});
