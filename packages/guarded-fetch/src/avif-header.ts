import { GuardedRequestError } from "./errors.ts";
import { assertFewParts, noFacts, type Facts } from "./header-facts.ts";

/** A box, or a property, by the range of its content in the file. */
interface Box {
  readonly type: string;
  readonly from: number;
  readonly to: number;
}

/** Transfer characteristics of a high dynamic range: PQ and HLG (ITU-T H.273, table 3). */
const highRanges: ReadonlySet<number> = new Set([16, 18]);

/**
 * Reads the header of an AVIF (AV1 Image File Format, in boxes of ISO/IEC 14496-12 with the items and
 * properties of ISO/IEC 23008-12): the size of its primary item as it is shown, after crop and rotation. The
 * orientation in EXIF data does not count (23008-12, A.2.1).
 *
 * @throws GuardedRequestError `undecodable` without a primary item that has a size, or with several lists of
 *   items, `high_dynamic_range`, `too_much_metadata`.
 */
export function readAvif(file: Buffer): Facts {
  const count = { parts: 0 };
  const top = readBoxes(file, { from: 0, to: file.length }, count);
  const isAnimated = hasBrand(file, "avis") || top.some(({ type }) => type === "moov");
  if (isAnimated) return { ...noFacts, width: 1, height: 1, isAnimated };
  const [meta, another] = top.filter(({ type }) => type === "meta");
  // Readers may disagree about which list counts.
  if (meta === undefined || another !== undefined) throw noSize();
  const parts = readBoxes(file, { from: meta.from + 4, to: meta.to }, count);
  const primary = find(parts, "pitm");
  const properties = readBoxes(file, find(parts, "iprp"), count);
  const list = readBoxes(file, find(properties, "ipco"), count);
  const id = readNumber(file, primary, 4, file[primary.from] === 0 ? 2 : 4);
  const own = properties
    .filter(({ type }) => type === "ipma")
    .flatMap((box) => readAssociations(file, box, id, count))
    .flatMap((index) => list[index - 1] ?? []);
  const sizes = list.filter(({ type }) => type === "ispe").map((box) => readSize(file, box, 4, 4));
  const profiles = list.filter(({ type }) => type === "colr");
  if (profiles.some((box) => isHighRange(file, box))) {
    throw new GuardedRequestError("high_dynamic_range", "PQ or HLG");
  }
  return {
    ...noFacts,
    ...readShownSize(file, own),
    profileBytes: profiles.reduce((sum, { from, to }) => sum + to - from, 0),
    partPixels: Math.max(0, ...sizes.map(({ width, height }) => width * height)),
  };
}

/** Whether a file has a brand, at its beginning. */
function hasBrand(file: Buffer, brand: string): boolean {
  const end = Math.min(file.length, file.readUInt32BE(0), 256);
  for (let at = 8; at + 4 <= end; at += 4) {
    if (file.toString("latin1", at, at + 4) === brand) return true;
  }
  return false;
}

/** The size of an item with these properties, which are applied in their order. */
function readShownSize(file: Buffer, properties: readonly Box[]) {
  const extent = properties.find(({ type }) => type === "ispe");
  if (extent === undefined) throw noSize();
  let size = readSize(file, extent, 4, 4);
  for (const property of properties) {
    if (property.type === "clap") size = readCrop(file, property);
    if (property.type !== "irot") continue;
    const isQuarterTurn = (readNumber(file, property, 0, 1) & 1) === 1;
    if (isQuarterTurn) size = { width: size.height, height: size.width };
  }
  return size;
}

function readSize(file: Buffer, box: Box, at: number, step: number) {
  return { width: readNumber(file, box, at, 4), height: readNumber(file, box, at + step, 4) };
}

/** The size of a crop (14496-12, 12.1.4): a numerator and a denominator for each side. */
function readCrop(file: Buffer, box: Box) {
  const part = readSize(file, box, 0, 8);
  const whole = readSize(file, box, 4, 8);
  return {
    width: Math.round(part.width / whole.width) || 0,
    height: Math.round(part.height / whole.height) || 0,
  };
}

function isHighRange(file: Buffer, box: Box): boolean {
  const isCoded = file.toString("latin1", box.from, box.from + 4) === "nclx";
  return isCoded && highRanges.has(readNumber(file, box, 6, 2));
}

/** Reads the numbers of an item's properties, from 1, of an `ipma` box (23008-12, 9.3.1). */
function readAssociations(file: Buffer, box: Box, id: number, count: { parts: number }): number[] {
  const idBytes = file[box.from] === 0 ? 2 : 4;
  const indexBytes = (readNumber(file, box, 3, 1) & 1) === 1 ? 2 : 1;
  const entries = readNumber(file, box, 4, 4);
  let at = 8;
  for (let entry = 0; entry < entries; entry++) {
    assertFewParts(count.parts++);
    const item = readNumber(file, box, at, idBytes);
    const associations = readNumber(file, box, at + idBytes, 1);
    at += idBytes + 1;
    if (item === id) {
      // The highest bit says that a reader must know the property.
      return Array.from({ length: associations }, (_, index) => {
        assertFewParts(count.parts++);
        const read = readNumber(file, box, at + index * indexBytes, indexBytes);
        return read & (indexBytes === 2 ? 0x7fff : 0x7f);
      });
    }
    at += associations * indexBytes;
  }
  return [];
}

function find(boxes: readonly Box[], wanted: string): Box {
  const box = boxes.find(({ type }) => type === wanted);
  if (box === undefined) throw noSize();
  return box;
}

/** Lists the boxes in a range, up to one that ends outside of it. */
function readBoxes(
  file: Buffer,
  { from: start, to: end }: Pick<Box, "from" | "to">,
  count: { parts: number },
): Box[] {
  const boxes: Box[] = [];
  for (let from = start; from + 8 <= end;) {
    assertFewParts(count.parts++);
    const type = file.toString("latin1", from + 4, from + 8);
    const short = file.readUInt32BE(from);
    const isLong = short === 1 && from + 16 <= end;
    const length = isLong ? Number(file.readBigUInt64BE(from + 8)) : short || end - from;
    const content = from + (isLong ? 16 : 8);
    if (length < content - from || from + length > end) break;
    boxes.push({ type, from: content, to: from + length });
    from += length;
  }
  return boxes;
}

function readNumber(file: Buffer, box: Box, at: number, bytes: number): number {
  if (box.from + at + bytes > box.to) throw noSize();
  return file.readUIntBE(box.from + at, bytes);
}

function noSize(): GuardedRequestError {
  return new GuardedRequestError("undecodable", "the header names no size");
}
