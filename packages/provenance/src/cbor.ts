// The subset of CBOR (RFC 8949) that manifests use: lengths up to 32 bits, no floating-point numbers.

export const nil = Buffer.from([0xf6]);

export function integer(value: number): Buffer {
  return value < 0 ? head(1, -1 - value) : head(0, value);
}

export function byteString(bytes: Uint8Array): Buffer {
  return Buffer.concat([head(2, bytes.length), bytes]);
}

export function textString(text: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([head(3, bytes.length), bytes]);
}

export function array(...items: readonly Buffer[]): Buffer {
  return Buffer.concat([head(4, items.length), ...items]);
}

export function map(...entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat()]);
}

export function tagged(tag: number, item: Buffer): Buffer {
  return Buffer.concat([head(6, tag), item]);
}

function head(majorType: number, argument: number): Buffer {
  const type = majorType << 5;
  if (argument < 24) return Buffer.from([type | argument]);
  if (argument < 0x100) return Buffer.from([type | 24, argument]);
  if (argument < 0x1_0000) return Buffer.from([type | 25, argument >> 8, argument & 0xff]);
  const bytes = Buffer.from([type | 26, 0, 0, 0, 0]);
  bytes.writeUInt32BE(argument, 1);
  return bytes;
}

/** A decoded value. Tags are left out; the keys of a map are text, also where they are integers. */
export type CborValue =
  | string
  | number
  | boolean
  | null
  | Buffer
  | readonly CborValue[]
  | { readonly [key: string]: CborValue };

/**
 * Decodes one value. Byte strings are views of the input.
 *
 * @throws Error for anything outside of the subset, and when bytes are missing or left over.
 */
export function decodeCbor(bytes: Buffer): CborValue {
  let at = 0;

  function take(length: number): Buffer {
    if (at + length > bytes.length) throw new Error("The CBOR ends early.");
    at += length;
    return bytes.subarray(at - length, at);
  }

  function readArgument(low: number): number {
    if (low < 24) return low;
    if (low > 26) throw new Error("The CBOR has a length or a number that manifests do not use.");
    const size = 1 << (low - 24);
    return take(size).readUIntBE(0, size);
  }

  function readKey(): string {
    const key = read();
    if (typeof key === "string" || typeof key === "number") return String(key);
    throw new Error("A CBOR map has a key that manifests do not use.");
  }

  function read(): CborValue {
    const first = take(1).readUInt8();
    const [majorType, low] = [first >> 5, first & 0x1f];
    if (majorType === 7) return readSimple(low);
    const argument = readArgument(low);
    switch (majorType) {
      case 0:
        return argument;
      case 1:
        return -1 - argument;
      case 2:
        return take(argument);
      case 3:
        return take(argument).toString("utf8");
      case 4:
        return repeat(argument, read);
      case 5:
        return Object.fromEntries(repeat(argument, () => [readKey(), read()] as const));
      default:
        return read();
    }
  }

  const value = read();
  if (at !== bytes.length) throw new Error("Bytes follow the CBOR.");
  return value;
}

function readSimple(low: number): boolean | null {
  if (low === 20 || low === 21) return low === 21;
  if (low === 22) return null;
  throw new Error("The CBOR has a simple value that manifests do not use.");
}

/** Unlike `Array.from`, allocates nothing for a count that the input does not hold. */
function repeat<Item>(count: number, read: () => Item): Item[] {
  const items: Item[] = [];
  while (items.length < count) items.push(read());
  return items;
}
