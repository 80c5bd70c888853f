import { describe, expect, it } from "vitest";
import { toCsv } from "./csv.ts";

const cell = (value: string | number) =>
  toCsv([], [[value]])
    .split("\r\n")
    .slice(1, -1)
    .join("\r\n");

describe("a table in CSV", () => {
  it("has its columns, quoted texts and numbers", () => {
    const rows = [
      ['a "b", c\nd', 3, "0.04"],
      ["second", 0, "-0.04"],
    ];
    expect(toCsv(["key_name", "jobs", "cost_eur"], rows)).toBe(
      'key_name,jobs,cost_eur\r\n"a ""b"", c\nd",3,0.04\r\n"second",0,-0.04\r\n',
    );
  });

  it.each([
    ["=1+1", `"'=1+1"`],
    ["+1+1", `"'+1+1"`],
    ["-1+cmd", `"'-1+cmd"`],
    ["@SUM(A1)", `"'@SUM(A1)"`],
    ["＝1+1", `"'＝1+1"`],
    ["＋1", `"'＋1"`],
    ["－1", `"'－1"`],
    ["＠SUM(A1)", `"'＠SUM(A1)"`],
    [" =1+1", `"' =1+1"`],
    ["x;=cmd", `"x;'=cmd"`],
    ["x; ＝cmd", `"x;' ＝cmd"`],
    ['x;"=cmd"', `"x;'""=cmd"""`],
    ["a;=b;=c", `"a;'=b;'=c"`],
    ["x\t=1", `"x\t'=1"`],
    ["x\n=1", `"x\n'=1"`],
    ["\t=1", `"'\t'=1"`],
    ["\r=1", `"'\r'=1"`],
  ])("keeps %j from being a formula", (text, written) => {
    expect(cell(text)).toBe(written);
  });

  it.each(["a-b", "2026-11-29", "x;y", "me@example.org", "1;2"])("leaves %j as it is", (text) => {
    expect(cell(text)).toBe(`"${text}"`);
  });

  it.each([["-0.04"], [-3], [12], ["0.69"]])("keeps the number %j", (value) => {
    expect(cell(value)).toBe(String(value));
  });
});
