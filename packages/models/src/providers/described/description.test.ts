import { describe, expect, it } from "vitest";
import { readJsonText } from "../../read-json-file.ts";
import { description } from "./description.ts";
import { inventedText } from "./testing/invented-server.ts";

/** Reads the description of the invented protocol with one text replaced. */
const readWith = (text: string, other: string) => {
  if (!inventedText.includes(text)) throw new Error(`the description has no ${text}`);
  return () => readJsonText(inventedText.replace(text, other), description, "described.json");
};

/** Line of a text in the description. */
const lineOf = (text: string) =>
  inventedText.slice(0, inventedText.indexOf(text)).split("\n").length;

describe("a mistake in a description", () => {
  it.each([
    {
      mistake: "an unknown field",
      text: '"interval_ms"',
      other: '"interval"',
      message:
        /column 5: poll\.interval is unknown; allowed here: keep, interval_ms, status, state/,
    },
    {
      mistake: "an unknown placeholder",
      text: '"{seed}"',
      other: '"{sede}"',
      message:
        /requests\.0\.json\.number has the unknown placeholder \{sede\}; allowed here: \{model\}, .*\{seed\}/,
    },
    {
      mistake: "a placeholder in the wrong place",
      text: '"{api_key}"',
      other: '"{prompt}"',
      message:
        /key\.headers\.x-token has the unknown placeholder \{prompt\}; allowed here: \{api_key\}/,
    },
    {
      mistake: "a value that is not allowed",
      text: '"broken": "unavailable"',
      other: '"broken": "broken"',
      message: /poll\.failed\.broken Invalid option: expected one of "refused"\|"rate_limited"/,
    },
    {
      mistake: "a malformed path",
      text: '"job.phase",',
      other: '"order..phase",',
      message: /poll\.state must be a path in JSON such as data\.0\.url/,
    },
    {
      mistake: "a missing field",
      text: '"state": "job.phase",',
      other: "",
      line: lineOf('"poll"'),
      message: /poll\.state Invalid input/,
    },
    {
      mistake: "a malformed regular expression",
      text: '"matches": "no credit"',
      other: '"matches": "(no credit"',
      message: /outcomes\.2\.all\.0\.matches must be a regular expression/,
    },
    {
      mistake: "a poll that ends a job for want of credit",
      text: '"status": [409],',
      other: '"status": [409], "on": ["poll"],',
      message: /outcomes\.2\.on must be submit for rate_limited and out_of_quota/,
    },
    {
      mistake: "files without a form",
      text: '"form": { "sample": "{images}", "stencil": "{mask}" },\n      "json_field": "job"',
      other: '"headers": { "x-none": "{images}{mask}" }',
      line: lineOf('"when"') - 1,
      message: /requests\.0 sends images as files, which needs a form/,
    },
    {
      mistake: "a JSON part without a name",
      text: ',\n      "json_field": "job"',
      other: "",
      line: lineOf('"when"') - 1,
      message: /requests\.0 must have json, form, or both with json_field/,
    },
  ])(
    "is named with its position and what is allowed: $mistake",
    ({ message, other, text, ...row }) => {
      const read = readWith(text, other);
      expect(read).toThrow(message);
      expect(read).toThrow(new RegExp(`line ${row.line ?? lineOf(text)}, `));
    },
  );

  it("is a user or a password in its address", () => {
    const text = JSON.stringify({
      ...(JSON.parse(inventedText) as object),
      base_url: "https://user:secret@vendor.example/v1",
    });
    expect(() => readJsonText(text, description, "described.json")).toThrow(
      /base_url must not have a user or a password/,
    );
  });

  it("does not hide the others", () => {
    const text = inventedText
      .replace('"done": ["drawn"]', '"done": []')
      .replace('"max": 4', '"max": 0');
    expect(() => readJsonText(text, description, "described.json")).toThrow(
      /images\.max[^]*poll\.done/,
    );
  });

  it("is named with its position when the file is not JSON", () => {
    expect(readWith('"done": ["drawn"],', '"done": ["drawn"]')).toThrow(
      new RegExp(`described.json cannot be used: .*line ${lineOf('"failed"')} column 5`),
    );
  });
});
