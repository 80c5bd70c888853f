import type { NewPart } from "@atelier/generations/batches";
import { expect, it } from "vitest";
import { readParts } from "./read-parts.ts";
import { splitLines } from "./split-lines.ts";

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.byteLength; start += size) {
    yield await Promise.resolve(bytes.subarray(start, start + size));
  }
}

async function read(text: string, size = 1_000) {
  const checked: [string, number][] = [];
  const parts: NewPart[] = [];
  const check = (line: Buffer, number: number) => checked.push([line.toString(), number]);
  for await (const part of readParts(inChunks(text, size), check)) parts.push(part);
  return { checked, parts };
}

it.each([1, 7, 1_000])(
  "finds the lines of chunks of %i bytes, with their numbers",
  async (size) => {
    const { checked, parts } = await read('{"ä":1}\r\n{"b":2}\n\n \n', size);
    expect(checked).toEqual([
      ['{"ä":1}\r', 1],
      ['{"b":2}', 2],
    ]);
    expect(parts.map(({ firstLine, lastLine }) => [firstLine, lastLine])).toEqual([[1, 2]]);
  },
);

it("joins consecutive lines to parts of a limited size", async () => {
  const lines = Array.from({ length: 700 }, (_, index) => `${index}`.padEnd(1_000, "x"));
  const { parts } = await read(lines.join("\n"), 65_536);
  expect(parts.length).toBe(3);
  expect(parts.every((part) => part.lines.byteLength < 260_000)).toBe(true);
  expect(parts.flatMap((part) => splitLines(part.lines).map(String))).toEqual(lines);
  expect(parts.map(({ firstLine }) => firstLine)).toEqual([
    1,
    ...parts.slice(0, -1).map(({ lastLine }) => lastLine + 1),
  ]);
});

it.each([
  ["an empty line in between", "1\n\n2\n", "Line 2 is empty"],
  ["no line", "\n \r\n", "The file has no lines"],
  ["a line of more than 1 MB", `1\n${"x".repeat(1_048_577)}`, "Line 2 is larger than 1 MB"],
  ["more than 50,000 lines", "1\n".repeat(50_001), "The file has more than 50000 lines"],
])("refuses %s", async (_, text, message) => {
  await expect(read(text, 65_536)).rejects.toThrow(message);
});
