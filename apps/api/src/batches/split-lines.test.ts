import { expect, it } from "vitest";
import { joinLines, splitLines } from "./split-lines.ts";

it("splits a text at its newlines, without empty lines", () => {
  const lines = splitLines(Buffer.from('{"a":1}\r\n\n \t\n{"b":2}'));
  expect(lines.map((line) => line.toString().trim())).toEqual(['{"a":1}', '{"b":2}']);
});

it("joins lines to parts of a limited size that have each line once, in order", () => {
  const lines = Array.from({ length: 1_000 }, (_, index) =>
    Buffer.from(JSON.stringify({ index, text: "x".repeat(1_000) })),
  );
  const parts = joinLines(lines);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.every((part) => part.lines.byteLength < 260_000)).toBe(true);
  let next = 1;
  for (const { firstLine, lastLine, lines: bytes } of parts) {
    expect(firstLine).toBe(next);
    expect(splitLines(bytes)).toEqual(lines.slice(firstLine - 1, lastLine));
    next = lastLine + 1;
  }
  expect(next).toBe(1_001);
});
