import { describe, expect, it } from "vitest";
import { toCsv } from "./csv.ts";

describe("toCsv", () => {
  it("quotes commas, quotation marks and line breaks", () => {
    expect(
      toCsv([
        ["key", "cost_eur"],
        ['a "b", c\nd', "0.04"],
      ]),
    ).toBe('key,cost_eur\r\n"a ""b"", c\nd",0.04\r\n');
  });

  it.each(["=1+1", "+1+1", "-1+cmd", "@SUM(A1)", "\t=1", "\r=1"])(
    "does not let a spreadsheet run %j",
    (text) => expect(toCsv([[text]])).toMatch(/^"?'/),
  );

  it.each([["-0.04"], [-3], [12]])("keeps the number %j", (value) =>
    expect(toCsv([[value]])).toBe(`${value}\r\n`),
  );
});
