import { expect, it } from "vitest";
import { readAccounts } from "./read-accounts.ts";

it("reads CSV with quotes, a byte order mark, CRLF and empty lines, with the number of each line", () => {
  const text = (name: string) =>
    `\uFEFFexternal_id,name,credit_eur,key_name\r\nC-1,${name},25,site\r\n\r\nC-2,Nougat,,\r\n`;
  expect(() => readAccounts(text('"Fudge,\n""sweet"""'))).toThrow("line 2: name");
  expect(readAccounts(text('"Fudge, ""sweet"""'))).toEqual([
    {
      line: 2,
      externalId: "C-1",
      name: 'Fudge, "sweet"',
      strictness: null,
      creditMicroEur: 25_000_000n,
      keyName: "site",
      keyMode: "live",
    },
    expect.objectContaining({ line: 4, externalId: "C-2", creditMicroEur: 0n, keyName: "key" }),
  ]);
});

it.each(['Anna "Annie" Smith', '5" disk', '"""Annie"" Smith"'])(
  "reads quotes inside of %s",
  (cell) => {
    const [first, second] = readAccounts(`external_id,name\nC-1,${cell}\nC-2,Nougat\n`);
    const name = cell.startsWith('"') ? '"Annie" Smith' : cell;
    expect([first?.name, second?.line, second?.name]).toEqual([name, 3, "Nougat"]);
  },
);

it("reads JSON lines", () => {
  const lines = [
    '{"external_id": "C-1", "name": "Fudge", "credit_eur": 0.25}',
    "",
    '{"external_id": "C-2", "name": "Nougat", "credit_eur": "3", "key_mode": "test", "strictness": "liberal"}',
  ];
  expect(readAccounts(lines.join("\n"))).toMatchObject([
    { line: 1, creditMicroEur: 250_000n },
    { line: 3, creditMicroEur: 3_000_000n, keyMode: "test", strictness: "liberal" },
  ]);
});

it.each([
  [
    "external_id,name\nC-1,Fudge\nC-2,\nC-1,Nougat\n",
    /line 3: name.*; line 4: external_id "C-1" is that of line 2/,
  ],
  ["external_id,name,credit_eur\nC-1,Fudge,ten\n", /line 2: credit_eur must be an amount/],
  ["external_id,name,colour\nC-1,Fudge,red\n", /line 2: .*colour/],
  ["external_id,name\nC-1,Fudge,red\n", /line 2: has 3 cells/],
  ['external_id,name\nC-1,"Fudge\n', /Quote Not Closed: .* at line 2\.$/],
  ['external_id,name\n\nC-1,"Fudge"s\n', /line 3: "Fudge"s has text after its closing quote/],
  ['external_id,name\nC-1,"Fu\r\n\r\ndge"\r\nC-2,\r\n', /line 2: name.*; line 5: name/],
  ['{"external_id": "C-1"\n', /line 1: is not JSON/],
  ["external_id,name\n", /no accounts/],
  [`external_id,name\n${"C-1,\n".repeat(30)}`, /and 10 more/],
])("names the lines of problems, and imports nothing: %j", (text, message) => {
  expect(() => readAccounts(text)).toThrow(message);
});
