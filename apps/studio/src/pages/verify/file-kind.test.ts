import { expect, it } from "vitest";
import { readKind } from "./file-kind.ts";

it.each([
  ["a PNG", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "picture"],
  ["a JPEG", "\xff\xd8\xff\xe0\0\x10JFIF", "picture"],
  ["a WebP", "RIFF\n\0\0\0WEBPVP8 ", "picture"],
  ["a HEIC of a phone", "\0\0\0\x18ftypheic\0\0\0\0", "heic"],
  ["a HEIF image", "\0\0\0\x18ftypmif1\0\0\0\0", "heic"],
  ["an AVIF", "\0\0\0\x18ftypavif\0\0\0\0", "picture"],
  ["a GIF", "GIF89a", "picture"],
  ["an SVG", "<svg xmlns=", "picture"],
  ["a text", "no picture", "other"],
  ["an empty file", "", "other"],
])("reads the kind of %s", async (_, start, kind) => {
  const bytes = Uint8Array.from(start, (character) => character.codePointAt(0) ?? 0);
  expect(await readKind(new Blob([bytes]))).toBe(kind);
});
