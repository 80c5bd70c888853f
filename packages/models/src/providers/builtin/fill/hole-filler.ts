import { createLimitedProcess } from "@atelier/kit/limited-process";
import type { FillRequest } from "./fill-child.ts";

/** Fills holes of images from their surroundings, one after another in a limited process. */
export interface HoleFiller {
  /**
   * @param image PNG, JPEG or WebP, upright.
   * @param mask an opaque grey PNG of the same size; white marks the hole, and grey pixels are mixed.
   * @returns a PNG in which only pixels that are not black in the mask differ from the image.
   * @throws LimitError when it takes too much CPU time or memory, the machine is too busy, or an image cannot be read.
   */
  fill(image: Uint8Array, mask: Uint8Array): Promise<Uint8Array>;
}

/**
 * Prepares a filler; its process starts with the first image and ends when it is idle. An image has 65 s
 * of CPU time, of which the largest takes 5.
 */
export function createHoleFiller(): HoleFiller {
  const child = createLimitedProcess<FillRequest, Uint8Array>({
    work: "fill",
    module: new URL("fill-child.ts", import.meta.url),
    cpuMs: 65_000,
    maxResidentBytes: 900_000_000,
  });
  return {
    async fill(image, mask) {
      return (await child.run({ image, mask })).answer;
    },
  };
}
