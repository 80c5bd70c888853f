import { expect, it } from "vitest";
import { writeCsv } from "./write-csv.ts";

const row = { id: "id-1", name: "Design team", jobs: 2, images: 3, failed: 0, cost_eur: "0.10" };

it.each([
  ["budget", "budget,budget_name,", '"id-1","Design team",2'],
  ["key", "key,key_name,", '"id-1","Design team",2'],
  ["model", "model,", '"id-1",2'],
] as const)("writes the columns of usage by %s", (group, columns, cells) => {
  expect(writeCsv([row, { ...row, id: "unused", jobs: 0 }], group)).toBe(
    `${columns}jobs,failed,images,cost_eur\r\n${cells},0,3,0.10\r\n`,
  );
});
