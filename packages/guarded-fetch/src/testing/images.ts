import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** A picture of 40 × 20 pixels whose left half is red and whose right half is blue. */
export function twoColours() {
  const blue = { create: { width: 20, height: 20, channels: 3, background: "#0000ff" } } as const;
  return sharp({ create: { width: 40, height: 20, channels: 3, background: "#ff0000" } })
    .composite([{ input: blue, left: 20, top: 0 }])
    .removeAlpha();
}

/** A picture that does not compress, so that half a file is half a picture. */
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

/** One chunk of a PNG (ISO/IEC 15948, 5.3). */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.byteLength, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A complete, valid PNG of white pixels, one bit each: some 50 kB for 14000 × 14000. */
export function whitePng(width: number, height: number, ...extraChunks: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const row = Buffer.alloc(1 + Math.ceil(width / 8), 0xff);
  row[0] = 0;
  const rows = Buffer.alloc(row.length * height);
  for (let y = 0; y < height; y += 1) row.copy(rows, y * row.length);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
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
