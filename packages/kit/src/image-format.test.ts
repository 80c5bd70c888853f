import { expect, it } from "vitest";
import { detectImageFormat, detectReceivedFormat } from "./image-format.ts";

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));

it.each([
  ["png", "\x89PNG\r\n\x1a\n0123456789"],
  ["jpeg", "\xff\xd8\xff\xe0JFIF"],
  ["webp", "RIFF1234WEBPVP8 "],
])("detects %s by its signature", (format, text) => {
  expect(detectImageFormat(bytesOf(text))).toBe(format);
});

it.each([
  ["avif", "\0\0\0\x1cftypavif\0\0\0\0mif1miaf"],
  ["avif", "\0\0\0\x18ftypmif1\0\0\0\0avif"],
  ["avif", "\0\0\0\x14ftypavis\0\0\0\0msf1"],
  [null, "\0\0\0\x18ftypheic\0\0\0\0mif1heic"],
  [null, "\0\0\0\x14ftypmif1\0\0\0\0heic"],
  ["jpeg", "\xff\xd8\xff\xe0JFIF"],
])("detects %s among the formats that clients send", (format, text) => {
  expect(detectReceivedFormat(bytesOf(text))).toBe(format);
});

it.each(["", "\x89PN", "RIFF1234WEB", "RIFF1234WAVEfmt ", "GIF89a", "<svg/>"])(
  "returns null for %j",
  (text) => {
    expect(detectImageFormat(bytesOf(text))).toBeNull();
  },
);

it("reads a view into a larger buffer from its own start", () => {
  const view = bytesOf("junk\xff\xd8\xff\xe0").subarray(4);
  expect(detectImageFormat(view)).toBe("jpeg");
});
