import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Pixels } from "./luma.ts";
import { hasPixelModule } from "./pixel-module.ts";
import { compressPixels } from "./png.ts";
import { createNoise } from "./testing/noise.ts";
import { landscape } from "./testing/pictures.ts";

/** Undoes the filters of a PNG: third edition, section 9.2. */
function unfilter(lines: Buffer, { width, height, channels }: Omit<Pixels, "data">): Buffer {
  const length = width * channels;
  const pixels = Buffer.alloc(length * height);
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (length + 1)]!;
    for (let x = 0; x < length; x++) {
      const at = y * length + x;
      const left = x < channels ? 0 : pixels[at - channels]!;
      const up = y === 0 ? 0 : pixels[at - length]!;
      const corner = x < channels || y === 0 ? 0 : pixels[at - length - channels]!;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
      pixels[at] = (lines[y * (length + 1) + 1 + x]! + guess) & 255;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(guess - one)) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

const filled = (width: number, height: number, channels: 3 | 4, value: (at: number) => number) => ({
  data: Buffer.from(Array.from({ length: width * height * channels }, (_, at) => value(at))),
  width,
  height,
  channels,
});

const noise = createNoise(8);
/** Fibonacci numbers of each value: the rarest would have codes longer than a stream may have. */
const skewed = Array.from({ length: 24 }, (_, index) =>
  Array.from({ length: fibonacci(index + 1) }, () => 7 * index),
).flat();

function fibonacci(index: number): number {
  let [one, next] = [0, 1];
  for (let round = 0; round < index; round++) [one, next] = [next, one + next];
  return one;
}

const pictures: readonly (readonly [string, () => Pixels | Promise<Pixels>])[] = [
  ["a landscape", () => landscape(517, 401)],
  ["several bands of rows", () => landscape(1400, 700)],
  ["noise", () => filled(130, 77, 3, () => Math.floor(128 + 40 * noise()))],
  ["one colour", () => filled(300, 200, 3, () => 201)],
  ["one pixel", () => filled(1, 1, 3, () => 9)],
  ["one column", () => filled(1, 300, 4, (at) => at)],
  ["one row of transparent pixels", () => filled(300, 1, 4, (at) => (at % 4 === 3 ? 0 : at))],
  ["zeros between other values", () => filled(99, 60, 3, (at) => (at % 47 < 3 ? at : 0))],
  [
    "runs of all lengths",
    () => filled(640, 40, 3, (at) => (((Math.sqrt(8 * at + 1) - 1) / 2) % 1 === 0 ? 9 : 0)),
  ],
  [
    "very uneven counts",
    () => filled((skewed.length / 3) | 0, 1, 3, (at) => skewed[(at * 7_919) % skewed.length]!),
  ],
  ["a row longer than a band", () => filled(50_000, 2, 3, (at) => (at * at) >> 5)],
];

describe.skipIf(!hasPixelModule)("compressed pixels", () => {
  it.each(pictures)("inflate to the same pixels: %s", async (_, draw) => {
    const pixels = await draw();
    // Checks the checksum, too.
    const lines = inflateSync(compressPixels(pixels)!);
    expect(lines.length).toBe((pixels.width * pixels.channels + 1) * pixels.height);
    expect(unfilter(lines, pixels).equals(Buffer.from(pixels.data))).toBe(true);
  });

  it("never have more bytes than the room for them: values without any pattern", () => {
    const pixels = filled(2_000, 99, 3, (at) => Math.imul(at + 1, 2_654_435_761) >>> 24);
    expect(compressPixels(pixels)!.length).toBeLessThan(1.02 * pixels.data.length);
  });
});
