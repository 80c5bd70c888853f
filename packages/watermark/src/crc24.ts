const generator = 0x864cfb;
const initial = 0xb704ce;

/** CRC-24 of OpenPGP (RFC 9580, section 6.1.1) over an array of bits, most significant first. */
export function crc24(bits: Uint8Array): number {
  let crc = initial;
  for (const bit of bits) {
    const carry = (crc >>> 23) ^ bit;
    crc = (crc << 1) & 0xffffff;
    if (carry === 1) crc ^= generator;
  }
  return crc;
}
