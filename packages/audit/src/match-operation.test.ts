import { operations, type Operation, type Operations } from "@atelier/schemas";
import { expect, it } from "vitest";
import { matchOperation } from "./match-operation.ts";

it("maps every operation of the record to its value", () => {
  const added = { ...operations.edit, task: "combine" as const };
  const record = { ...operations, ["collage" as Operation]: added } as Operations;
  const sql = matchOperation(record, ({ task }) => task ?? "");
  expect(sql).toMatch(/^CASE operation::text WHEN 'image' THEN '' /);
  expect(sql).toContain("WHEN 'edit' THEN 'edit'");
  expect(sql).toContain("WHEN 'collage' THEN 'combine' ELSE '' END");
});
