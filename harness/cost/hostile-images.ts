import { deflateSync } from "node:zlib";
import {
  claimJpegSize,
  claimWebpSize,
  pngChunk,
  progressiveJpeg,
  twoColours,
  whitePng,
} from "@atelier/guarded-fetch/testing/images";

/** A PNG of one colour; the colour type is 0 for grey and 6 for RGBA (ISO/IEC 15948, 11.2.2). */
function flatPng(width: number, height: number, colourType: 0 | 6): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(colourType, 9);
  const row = Buffer.alloc(1 + width * (colourType === 6 ? 4 : 1));
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

const text = (bytes: number) =>
  Buffer.concat([Buffer.from("Comment\0\0", "latin1"), deflateSync(Buffer.alloc(bytes))]);

/** Reference images that cost much to decode, by path. */
export interface HostileImages {
  /** Refused by their header or by the decoder. */
  readonly refused: Readonly<Record<string, Buffer>>;
  /** Within all limits, and as expensive as that allows. */
  readonly accepted: Readonly<Record<string, Buffer>>;
}

export async function createHostileImages(): Promise<HostileImages> {
  const jpeg = await twoColours().jpeg().toBuffer();
  const webp = await twoColours().webp({ lossless: true }).toBuffer();
  const frames = pngChunk("acTL", Buffer.from([0, 0, 39, 16, 0, 0, 0, 0]));
  return {
    refused: {
      "/rgba-40000000x1.png": flatPng(40_000_000, 1, 6),
      "/grey-40000000x1.png": flatPng(40_000_000, 1, 0),
      "/white-16384x16384.png": whitePng(16_384, 16_384),
      "/65500x65500.jpg": claimJpegSize(jpeg, 65_500, 65_500),
      "/65500x1.jpg": claimJpegSize(jpeg, 65_500, 1),
      "/882-scans.jpg": progressiveJpeg(6_320, 882),
      "/16384x16384.webp": claimWebpSize(webp, 16_384, 16_384),
      "/claims-8000x5000.webp": claimWebpSize(webp, 8_000, 5_000),
      "/10000-frames.png": whitePng(16, 16, frames),
      "/profile.png": whitePng(16, 16, pngChunk("iCCP", Buffer.alloc(1_100_000))),
      "/texts.png": whitePng(
        16,
        16,
        ...Array.from({ length: 5 }, () => pngChunk("tEXt", Buffer.alloc(1_000_000))),
      ),
    },
    accepted: {
      "/rgba-40-megapixels.png": flatPng(8_000, 5_000, 6),
      "/98-scans.jpg": progressiveJpeg(6_320, 98),
      "/compressed-texts.png": whitePng(16, 16, pngChunk("zTXt", text(500_000_000))),
    },
  };
}
