import { describe, expect, it } from "vitest";
import { createPolarCode, decodePolar, encodePolar } from "./polar-code.ts";
import { createNoise } from "./testing/noise.ts";

const code = createPolarCode(9, 88, 0.3);

describe("a polar code of 512 bits with 88 of information", () => {
  it("is read through noise that is stronger than the signal", () => {
    const noise = createNoise(1);
    for (let word = 0; word < 10; word++) {
      const bits = Uint8Array.from({ length: 88 }, () => (noise() > 0 ? 1 : 0));
      const received = Float64Array.from(
        encodePolar(code, bits),
        (bit) => 2 * (1 - 2 * bit) + 2 * 1.3 * noise(),
      );
      const decoded = decodePolar(code, received, 8, (found) => equal(found, bits));
      expect(decoded).toEqual(bits);
    }
  });

  it("offers at most as many words as the list is long", () => {
    const noise = createNoise(2);
    const received = Float64Array.from({ length: 512 }, noise);
    const offered = new Set<string>();
    const decoded = decodePolar(code, received, 8, (bits) => {
      offered.add(bits.join(""));
      return false;
    });
    expect(decoded).toBeNull();
    expect(offered.size).toBe(8);
  });
});

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return one.every((bit, index) => bit === other[index]);
}
