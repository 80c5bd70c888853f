import { expect, it } from "vitest";
import { detectImageFormat } from "./image-format.ts";

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));

it.each([
  ["png", "\x89PNG\r\n\x1a\n0123456789"],
  ["jpeg", "\xff\xd8\xff\xe0JFIF"],
  ["webp", "RIFF1234WEBPVP8 "],
])("detects %s by its signature", (format, text) => {
  expect(detectImageFormat(bytesOf(text))).toBe(format);
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
