import { createHash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { createBase64Decoder } from "./decode-base64.ts";

const maxBytes = 20_000_000;

it.each([10, 65_536, 65_537, 1_000_000])(
  "createBase64Decoder decodes %i bytes into memory of their size",
  (size) => {
    const image = randomBytes(size);
    const text = image.toString("base64");
    const decoder = createBase64Decoder(maxBytes);
    for (let at = 0; at < text.length; at += 10_000) {
      expect(decoder.write(text.slice(at, at + 10_000))).toBe(null);
      expect(decoder.bytes().buffer.byteLength).toBeLessThanOrEqual(Math.max(65_536, 2 * size));
    }
    const sha256 = createHash("sha256").update(image).digest("hex");
    const decoded = decoder.end();
    if (typeof decoded === "string") throw new Error(decoded);
    expect(decoded.sha256).toBe(sha256);
    expect(decoded.bytes.equals(image)).toBe(true);
    expect(decoded.bytes.buffer.byteLength).toBe(size);
  },
);
