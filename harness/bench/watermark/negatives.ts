import type { Pixels } from "@atelier/watermark";
import { toPixels, toSharp, type Picture } from "./pictures.ts";

/**
 * Yields unmarked images with their index: whole pictures, crops of all sizes, and noise. Each is the
 * same in every run.
 */
export function* createNegatives(
  pictures: readonly Picture[],
  count: number,
): Generator<readonly [index: number, load: () => Promise<Pixels>]> {
  for (let index = 0; index < count; index++) {
    yield [index, () => createNegative(pictures, index)];
  }
}

async function createNegative(pictures: readonly Picture[], index: number): Promise<Pixels> {
  let state = index;
  /** Deterministic: a linear congruential generator (Numerical Recipes). */
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const picture = pictures[index % pictures.length];
  // The first values of neighbouring seeds are alike.
  for (let round = 0; round < 8; round++) random(2);
  if (index % 10 === 0 || picture === undefined) {
    return noise(256 + random(512), 256 + random(512), 8 + random(100), random);
  }
  const original = await picture.load();
  if (index % 10 === 1) return original;
  const width = Math.min(original.width, 256 + random(400));
  const height = Math.min(original.height, 256 + random(400));
  const [left, top] = [random(original.width - width + 1), random(original.height - height + 1)];
  return toPixels(toSharp(original).extract({ left, top, width, height }));
}

function noise(
  width: number,
  height: number,
  range: number,
  random: (below: number) => number,
): Pixels {
  const data = new Uint8Array(width * height * 3).map(() => 128 - (range >> 1) + random(range));
  return { data, width, height, channels: 3 };
}
