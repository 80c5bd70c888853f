/**
 * The few DER encodings that certificates and time stamps need (ITU-T X.690, section 8 and 10).
 * Each function that writes returns one whole element: tag, length, content.
 */
export type Der = Buffer;

export function sequence(...items: readonly Der[]): Der {
  return element(0x30, Buffer.concat(items));
}

export function set(...items: readonly Der[]): Der {
  return element(0x31, Buffer.concat(items));
}

/** A positive INTEGER from its big-endian bytes. */
export function integer(bytes: Uint8Array): Der {
  const first = bytes.findIndex((byte) => byte !== 0);
  const magnitude = first === -1 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
  const isNegative = (magnitude[0] ?? 0) >= 0x80;
  return element(0x02, isNegative ? Buffer.concat([Buffer.from([0]), magnitude]) : magnitude);
}

export function boolean(value: boolean): Der {
  return element(0x01, Buffer.from([value ? 0xff : 0x00]));
}

/** An OBJECT IDENTIFIER from its dotted form. */
export function objectIdentifier(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

export function octetString(bytes: Uint8Array): Der {
  return element(0x04, bytes);
}

/** A BIT STRING whose last byte has `unusedBits` unused bits. */
export function bitString(bytes: Uint8Array, unusedBits = 0): Der {
  return element(0x03, Buffer.concat([Buffer.from([unusedBits]), bytes]));
}

export function utf8String(text: string): Der {
  return element(0x0c, Buffer.from(text, "utf8"));
}

export function printableString(text: string): Der {
  return element(0x13, Buffer.from(text, "ascii"));
}

/** UTCTime until 2049, GeneralizedTime from then on, as RFC 5280 section 4.1.2.5 asks. */
export function time(date: Date): Der {
  return date.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(`${digitsOf(date).slice(2)}Z`, "ascii"))
    : generalizedTime(date);
}

export function generalizedTime(date: Date): Der {
  return element(0x18, Buffer.from(`${digitsOf(date)}Z`, "ascii"));
}

/** With a resolution of one second. */
function digitsOf(date: Date): string {
  return date.toISOString().replaceAll(/[-:T]/g, "").slice(0, 14);
}

/** `[number] EXPLICIT`: wraps the items. */
export function explicit(number: number, ...items: readonly Der[]): Der {
  return element(0xa0 | number, Buffer.concat(items));
}

/** `[number] IMPLICIT OCTET STRING`: the bytes with a context-specific tag. */
export function implicitOctetString(number: number, bytes: Uint8Array): Der {
  return element(0x80 | number, bytes);
}

function element(tag: number, content: Uint8Array): Der {
  return Buffer.concat([Buffer.from([tag, ...length(content.length)]), content]);
}

function length(size: number): number[] {
  if (size < 0x80) return [size];
  const bytes: number[] = [];
  for (let rest = size; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return [0x80 | bytes.length, ...bytes];
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift((rest & 0x7f) | 0x80);
  }
  return bytes;
}

/** A parsed element. */
interface DerElement {
  readonly content: Uint8Array;
  /** The whole element, with tag and length. */
  readonly encoded: Uint8Array;
  /** Child elements; empty for a primitive element. */
  items(): DerElement[];
}

/** The element at the start of the bytes; null when it is malformed or incomplete. */
export function readElement(bytes: Uint8Array): DerElement | null {
  const first = bytes[1];
  if (first === undefined) return null;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = 2 + lengthBytes;
  // 0x80 is the indefinite length, which DER does not allow.
  if (first === 0x80 || lengthBytes > 4 || bytes.length < start) return null;
  const size =
    lengthBytes === 0 ? first : Buffer.from(bytes.subarray(2, start)).readUIntBE(0, lengthBytes);
  const content = bytes.subarray(start, start + size);
  if (content.length < size) return null;
  const encoded = bytes.subarray(0, start + size);
  return { content, encoded, items: () => readElements(content) };
}

function readElements(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const next = readElement(rest);
    if (next === null) return [];
    elements.push(next);
    rest = rest.subarray(next.encoded.length);
  }
  return elements;
}
