import { expect, it } from "vitest";
import { crc24 } from "./crc24.ts";

it("matches the published check value of CRC-24/OpenPGP", () => {
  const bits = [...Buffer.from("123456789")].flatMap((byte) =>
    Array.from({ length: 8 }, (_, bit) => (byte >> (7 - bit)) & 1),
  );
  expect(crc24(Uint8Array.from(bits))).toBe(0x21cf02);
});
