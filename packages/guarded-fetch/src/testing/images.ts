import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** A picture of 40 × 20 pixels whose left half is red and whose right half is blue. */
export function twoColours() {
  const blue = { create: { width: 20, height: 20, channels: 3, background: "#0000ff" } } as const;
  return sharp({ create: { width: 40, height: 20, channels: 3, background: "#ff0000" } })
    .composite([{ input: blue, left: 20, top: 0 }])
    .removeAlpha();
}

/** An incompressible picture, so that half a file contains half the picture. */
export function noise() {
  return sharp({
    create: {
      width: 200,
      height: 200,
      channels: 3,
      background: "#808080",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  });
}

/**
 * The signature and the first chunk of a PNG (ISO/IEC 15948, 11.2.2).
 *
 * @param colourType 0 is grey, 6 is RGBA.
 */
export function pngHeader(
  width: number,
  height: number,
  { bitDepth, colourType }: { readonly bitDepth: number; readonly colourType: number },
): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.writeUInt8(bitDepth, 8);
  data.writeUInt8(colourType, 9);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), pngChunk("IHDR", data)]);
}

/** One chunk of a PNG (ISO/IEC 15948, 5.3). */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.byteLength, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A complete, valid PNG of white pixels with one bit each; 14000 × 14000 take about 50 kB. */
export function whitePng(width: number, height: number, ...extraChunks: Buffer[]): Buffer {
  const row = Buffer.alloc(1 + Math.ceil(width / 8), 0xff);
  row[0] = 0;
  const rows = Buffer.alloc(row.length * height);
  for (let y = 0; y < height; y += 1) row.copy(rows, y * row.length);
  return Buffer.concat([
    pngHeader(width, height, { bitDepth: 1, colourType: 0 }),
    ...extraChunks,
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A JPEG whose header claims other dimensions (ITU-T T.81, B.2.2). */
export function claimJpegSize(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg);
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0]));
  copy.writeUInt16BE(height, frame + 5);
  copy.writeUInt16BE(width, frame + 7);
  return copy;
}

/** A lossless WebP whose header claims other dimensions, up to 16384 each (RFC 9649, 3.4). */
export function claimWebpSize(webp: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(webp);
  const bits = copy.indexOf("VP8L") + 9;
  const others = copy.readUInt32LE(bits) & ~0x0fffffff;
  copy.writeUInt32LE((others | (width - 1) | ((height - 1) << 14)) >>> 0, bits);
  return copy;
}

/** One segment of a JPEG (T.81, B.1.1.4). */
function jpegSegment(marker: number, ...body: readonly number[]): Buffer {
  return Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff, ...body]);
}

/** A grey, progressive JPEG of any number of scans (T.81, annex G); 100 bytes for each. */
export function progressiveJpeg(side: number, scans: number): Buffer {
  const blocks = Math.ceil(side / 8) ** 2;
  const scan = (...parameters: readonly number[]) => jpegSegment(0xda, 1, 1, 0, ...parameters);
  const size = [side >> 8, side & 0xff];
  const endOfBlocks = Array.from({ length: 15 }, (_, length) => length << 4);
  const empty = runsOfEmptyBlocks(blocks);
  // Each coefficient of its own, first without and then with each of its lower bits.
  const passes = Array.from({ length: scans }, (_, index) => {
    const coefficient = 1 + Math.floor(index / 14);
    const bit = 13 - (index % 14);
    const isFirst = bit === 13;
    return scan(coefficient, coefficient, ((isFirst ? 0 : bit + 1) << 4) | bit);
  });
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, 0, ...Array<number>(64).fill(1)),
    jpegSegment(0xc2, 8, ...size, ...size, 1, 1, 0x11, 0),
    jpegSegment(0xc4, 0x00, 1, ...Array<number>(15).fill(0), 0),
    jpegSegment(0xc4, 0x10, 0, 0, 0, 15, ...Array<number>(12).fill(0), ...endOfBlocks),
    scan(0, 0, 0),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...passes.flatMap((pass) => [pass, empty]),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** The data of a scan without any coefficient: runs of up to 32,767 blocks (T.81, G.1.2.2). */
function runsOfEmptyBlocks(blocks: number): Buffer {
  let bits = "";
  for (let left = blocks; left > 0;) {
    const run = Math.min(left, 32_767);
    const length = Math.floor(Math.log2(run));
    bits += length.toString(2).padStart(4, "0");
    if (length > 0) bits += (run - 2 ** length).toString(2).padStart(length, "0");
    left -= run;
  }
  const bytes = bits.match(/.{1,8}/g)?.map((text) => Number.parseInt(text.padEnd(8, "1"), 2)) ?? [];
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));
}

/** An item of an AVIF that `composeAvif` writes. */
interface AvifItem {
  readonly type: "av01" | "grid";
  readonly data: Buffer;
  /** The boxes of its properties, in their order. */
  readonly properties: readonly Buffer[];
  /** The items that it is made of, from 1. */
  readonly parts?: readonly number[];
}

/** One box of ISO/IEC 14496-12. */
export function avifBox(type: string, ...content: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, "latin1");
  return Buffer.concat([head, ...content]);
}

/** 16-bit numbers in a row. */
const shorts = (...values: readonly number[]) =>
  Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]));
const longs = (...values: readonly number[]) =>
  Buffer.concat(values.map((value) => shorts(value >>> 16, value & 0xffff)));

/** The size of an item (ISO/IEC 23008-12, 6.5.3). */
export const avifSize = (width: number, height: number) => avifBox("ispe", longs(0, width, height));
/** A crop around the centre (ISO/IEC 14496-12, 12.1.4). */
export const avifCrop = (width: number, height: number) =>
  avifBox("clap", longs(width, 1, height, 1, 0, 1, 0, 1));
/** Quarter turns anticlockwise (23008-12, 6.5.10). */
export const avifTurn = (turns: number) => avifBox("irot", Buffer.from([turns]));
/** Coded colours (14496-12, 12.1.5). */
export const avifColours = (transfer: number) =>
  avifBox("colr", Buffer.from("nclx"), shorts(9, transfer, 9), Buffer.from([0x80]));
/** The data of a grid (23008-12, 6.6.2.3.2), of up to 256 rows and columns. */
export const avifGrid = (rows: number, columns: number, width: number, height: number) =>
  Buffer.concat([Buffer.from([0, 1, rows - 1, columns - 1]), longs(width, height)]);

/** The coded picture of an AVIF of one item, with the property that says how it is coded. */
export function readAvifItem(avif: Buffer): { readonly data: Buffer; readonly coding: Buffer } {
  const content = avif.indexOf("mdat", 0, "latin1") + 4;
  const data = avif.subarray(content, content - 8 + avif.readUInt32BE(content - 8));
  const at = avif.indexOf("av1C", 0, "latin1") - 4;
  return { data, coding: avif.subarray(at, at + avif.readUInt32BE(at)) };
}

/** Writes an AVIF of these items, of which the first is shown. */
export function composeAvif(items: readonly AvifItem[], brands = "avifmif1miaf"): Buffer {
  const properties = items.flatMap((item) => item.properties);
  let property = 0;
  const associations = items.map((item, index) =>
    Buffer.concat([
      shorts(index + 1),
      Buffer.from([item.properties.length, ...item.properties.map(() => 0x80 | ++property)]),
    ]),
  );
  const head = (offsets: readonly number[]) =>
    Buffer.concat([
      avifBox("ftyp", Buffer.from(`${brands.slice(0, 4)}\0\0\0\0${brands}`)),
      avifBox(
        "meta",
        longs(0),
        avifBox("hdlr", longs(0, 0), Buffer.from("pict"), Buffer.alloc(13)),
        avifBox("pitm", longs(0), shorts(1)),
        avifBox(
          "iloc",
          longs(0),
          Buffer.from([0x44, 0]),
          shorts(items.length),
          ...items.map(({ data }, index) =>
            Buffer.concat([shorts(index + 1, 0, 1), longs(offsets[index] ?? 0, data.length)]),
          ),
        ),
        avifBox(
          "iinf",
          longs(0),
          shorts(items.length),
          ...items.map(({ type }, index) =>
            avifBox("infe", longs(0x2000000), shorts(index + 1, 0), Buffer.from(`${type}\0`)),
          ),
        ),
        ...items.flatMap(({ parts }, index) =>
          parts === undefined
            ? []
            : [
                avifBox(
                  "iref",
                  longs(0),
                  avifBox("dimg", shorts(index + 1, parts.length, ...parts)),
                ),
              ],
        ),
        avifBox(
          "iprp",
          avifBox("ipco", ...properties),
          avifBox("ipma", longs(0, items.length), ...associations),
        ),
      ),
    ]);
  let offset = head([]).length + 8;
  const offsets = items.map(({ data }) => (offset += data.length) - data.length);
  return Buffer.concat([head(offsets), avifBox("mdat", ...items.map(({ data }) => data))]);
}
