/**
 * A box of JUMBF (ISO/IEC 19566-5). A superbox (`jumb`) contains boxes and has a label; other boxes
 * have content.
 */
export interface JumbfBox {
  readonly type: string;
  /** Position of the box in the store, its header of eight bytes included. */
  readonly start: number;
  readonly end: number;
  readonly label: string | null;
  readonly boxes: readonly JumbfBox[];
}

const headerBytes = 8;
/** In a description box: its header, a UUID of 16 bytes, and a byte of toggles. */
const labelOffset = headerBytes + 16 + 1;

/** @throws Error when boxes do not fill the range exactly. */
export function readBoxes(store: Buffer, from = 0, to = store.length): JumbfBox[] {
  const found: JumbfBox[] = [];
  let start = from;
  while (start < to) {
    if (start + headerBytes > to) throw new Error("A JUMBF box ends early.");
    const end = start + store.readUInt32BE(start);
    const type = store.toString("latin1", start + 4, start + headerBytes);
    if (end < start + headerBytes || end > to) throw new Error("A JUMBF box has a wrong length.");
    const boxes = type === "jumb" ? readBoxes(store, start + headerBytes, end) : [];
    found.push({ type, start, end, label: labelIn(store, boxes[0]), boxes });
    start = end;
  }
  return found;
}

function labelIn(store: Buffer, description: JumbfBox | undefined): string | null {
  if (description?.type !== "jumd") return null;
  const start = description.start + labelOffset;
  const end = store.indexOf(0, start);
  return end === -1 || end > description.end ? null : store.toString("latin1", start, end);
}

/** A superbox and the range of its CBOR content. */
export interface CborBox {
  readonly superbox: JumbfBox;
  readonly start: number;
  readonly end: number;
}

/** @throws Error unless exactly one superbox has this label and one `cbor` box. */
export function findCbor(boxes: readonly JumbfBox[], label: string): CborBox {
  const [superbox, ...others] = boxes.filter((box) => box.label === label);
  const content = superbox?.boxes.filter(({ type }) => type === "cbor") ?? [];
  if (superbox === undefined || others.length > 0 || content.length !== 1) {
    throw new Error(`The manifest does not have one ${label}.`);
  }
  return { superbox, start: content[0]!.start + headerBytes, end: content[0]!.end };
}

/**
 * The bytes that the hash of an assertion covers: the superbox without its header (C2PA 2.4, hashing of
 * JUMBF boxes).
 */
export function hashedBytes(store: Buffer, { start, end }: JumbfBox): Buffer {
  return store.subarray(start + headerBytes, end);
}
