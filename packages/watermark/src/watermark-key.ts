import { createHash } from "node:crypto";
import { codeLength } from "./code-length.ts";
import { waves } from "./tile.ts";

/** The properties of the tile that follow from the secret of an installation. */
export interface WatermarkKey {
  /** Indices of the waves that carry the payload. */
  readonly dataWaves: readonly number[];
  /** Indices of the waves whose chips are known: they tell where the tile begins. */
  readonly pilotWaves: readonly number[];
  /** +1 or −1 for the cosine and the sine of each pilot wave. */
  readonly pilotChips: Int8Array;
  /** Position of each code bit among the chips of the data waves. */
  readonly places: Uint16Array;
  /** 0 or 1, added to each code bit. */
  readonly scramble: Uint8Array;
}

const label = "atelier watermark v1";

/**
 * Derives the tile of an installation from its secret. Without the secret, a mark can be neither
 * read nor made.
 *
 * @param secret at least 16 bytes.
 * @throws RangeError when the secret is shorter.
 */
export function createWatermarkKey(secret: Uint8Array): WatermarkKey {
  if (secret.length < 16) throw new RangeError("A watermark secret has at least 16 bytes.");
  const random = createGenerator(secret);
  const order = shuffle(waves.length, random);
  const dataWaves = order.slice(0, codeLength / 2);
  const pilotWaves = order.slice(codeLength / 2);
  return {
    dataWaves,
    pilotWaves,
    pilotChips: Int8Array.from({ length: 2 * pilotWaves.length }, () => 1 - 2 * random(2)),
    places: Uint16Array.from(shuffle(codeLength, random)),
    scramble: Uint8Array.from({ length: codeLength }, () => random(2)),
  };
}

/** Uniform integers below a limit of at most 2^16, from SHAKE256 of the secret (FIPS 202). */
function createGenerator(secret: Uint8Array): (limit: number) => number {
  const stream = createHash("shake256", { outputLength: 16_384 })
    .update(label)
    .update(secret)
    .digest();
  let offset = 0;
  return (limit) => {
    const largest = 65_536 - (65_536 % limit);
    for (;;) {
      const value = stream.readUInt16BE(offset);
      offset += 2;
      if (value < largest) return value % limit;
    }
  };
}

/** The numbers below `count` in random order (Fisher and Yates). */
function shuffle(count: number, random: (limit: number) => number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = random(last + 1);
    [numbers[last], numbers[other]] = [numbers[other]!, numbers[last]!];
  }
  return numbers;
}
