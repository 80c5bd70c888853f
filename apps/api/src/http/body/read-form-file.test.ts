import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { readFormFile } from "./read-form-file.ts";

const headers = { "content-type": "multipart/form-data; boundary=x" };

const partOf = (name: string, content: string, filename?: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"` +
  `${filename === undefined ? "" : `; filename="${filename}"`}\r\n\r\n${content}\r\n`;

const form = (...parts: readonly string[]) => Buffer.from(`${parts.join("")}--x--\r\n`, "latin1");

it("returns the only file, however large, beside a few fields", async () => {
  const file = randomBytes(3_000_000);
  const body = form(partOf("note", "a"), partOf("file", file.toString("latin1"), "a.png"));
  expect((await readFormFile(body, headers)).equals(file)).toBe(true);
});

it.each([
  ["no file", form(partOf("note", "a"))],
  ["two files", form(partOf("a", "1", "a.png"), partOf("b", "2", "b.png"))],
])("refuses a form with %s", async (_what, body) => {
  await expect(readFormFile(body, headers)).rejects.toThrow("exactly one file");
});

it("refuses a form of many parts at the ninth, without reading the others", async () => {
  const body = form(partOf("f", "1", "f").repeat(9), "this is not part of a form");
  await expect(readFormFile(body, headers)).rejects.toThrow("at most 8 parts");
  const fields = form(partOf("f", "1").repeat(9), partOf("file", "1", "a.png"));
  await expect(readFormFile(fields, headers)).rejects.toThrow("at most 8 parts");
});
