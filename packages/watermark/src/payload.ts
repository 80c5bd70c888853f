import { crc24 } from "./crc24.ts";
import { codeLength, codeLevels } from "./code-length.ts";
import { createPolarCode, decodePolar, encodePolar } from "./polar-code.ts";
import type { WatermarkKey } from "./watermark-key.ts";

/** The payload of a mark: 64 bits, as 16 hexadecimal digits in lower case. */
export type WatermarkId = string;

const idBits = 64;
const crcBits = 24;

/** About 1 bit in 6 is payload, for chips that are mostly noise. */
const code = createPolarCode(codeLevels, idBits + crcBits, 0.3);
const listSize = 8;

/** No chip may outweigh many others, however strong it seems. */
const maxLikelihood = 3;
const likelihoodScale = 1.2;

/** The chips of the data waves, +1 or −1: cosine and sine of the first, of the second, … */
export function encodePayload(id: WatermarkId, key: WatermarkKey): Int8Array {
  const word = encodePolar(code, withCrc(toBits(id)));
  const chips = new Int8Array(codeLength);
  word.forEach((bit, index) => {
    chips[key.places[index]!] = 1 - 2 * (bit ^ key.scramble[index]!);
  });
  return chips;
}

/**
 * How well chips agree with a code word, in standard deviations of noise. The best word that is found in
 * pure noise has 9.3 to 10.9, usually less than this; marks that can be read have 10.4 or more.
 */
const minAgreement = 10.2;

/**
 * Reads an id from received chips.
 *
 * @param received for each chip its value in units of the noise's standard deviation.
 * @returns null when no likely code word has a right CRC and agrees with the chips. Noise has one in
 *   about 10 million readings.
 */
export function decodePayload(received: Float64Array, key: WatermarkKey): WatermarkId | null {
  const likelihoods = new Float64Array(codeLength);
  for (let index = 0; index < codeLength; index++) {
    const value = clamp(received[key.places[index]!]!, maxLikelihood);
    likelihoods[index] = likelihoodScale * (key.scramble[index] === 1 ? -value : value);
  }
  const bits = decodePolar(code, likelihoods, listSize, hasRightCrc);
  if (bits === null || agreementOf(likelihoods, encodePolar(code, bits)) < minAgreement)
    return null;
  return fromBits(bits.subarray(0, idBits));
}

function agreementOf(likelihoods: Float64Array, word: Uint8Array): number {
  let [sum, energy] = [0, 0];
  for (let index = 0; index < codeLength; index++) {
    const value = likelihoods[index]!;
    sum += word[index] === 0 ? value : -value;
    energy += value * value;
  }
  return sum / Math.sqrt(energy + Number.MIN_VALUE);
}

/** @throws RangeError when it is not 16 hexadecimal digits in lower case. */
function toBits(id: WatermarkId): Uint8Array {
  if (!/^[0-9a-f]{16}$/.test(id)) {
    throw new RangeError("A watermark id has 16 hexadecimal digits in lower case.");
  }
  const value = BigInt(`0x${id}`);
  return Uint8Array.from({ length: idBits }, (_, bit) =>
    Number((value >> BigInt(idBits - 1 - bit)) & 1n),
  );
}

function fromBits(bits: Uint8Array): WatermarkId {
  return BigInt(`0b${bits.join("")}`)
    .toString(16)
    .padStart(16, "0");
}

function withCrc(bits: Uint8Array): Uint8Array {
  const crc = crc24(bits);
  const all = new Uint8Array(idBits + crcBits);
  all.set(bits);
  for (let bit = 0; bit < crcBits; bit++) all[idBits + bit] = (crc >> (crcBits - 1 - bit)) & 1;
  return all;
}

function hasRightCrc(bits: Uint8Array): boolean {
  const right = withCrc(bits.subarray(0, idBits));
  return bits.every((bit, index) => bit === right[index]);
}

function clamp(value: number, limit: number): number {
  return Math.min(limit, Math.max(-limit, value));
}
