import sharp, { type Sharp } from "sharp";
import type { Pixels } from "../luma.ts";
import { createNoise } from "./noise.ts";

/** A landscape: a flat sky, soft hills, and grain in the foreground. */
export async function landscape(width: number, height: number, seed = 1): Promise<Pixels> {
  const noise = createNoise(seed);
  const hill = 40 + 10 * ((seed * 7) % 5);
  const shapes = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
      viewBox="0 0 100 100" preserveAspectRatio="none">
      <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#7fb2d9"/>
        <stop offset="1" stop-color="#f2c894"/></linearGradient></defs>
      <rect width="100" height="100" fill="url(#sky)"/>
      <circle cx="70" cy="30" r="12" fill="#fff3d6"/>
      <path d="M0 ${hill + 20} C 20 ${hill} 42 76 64 60 S 90 64 100 56 V 100 H 0 Z" fill="#4a6b5d"/>
      <path d="M0 86 C 30 74 52 90 100 78 V 100 H 0 Z" fill="#2f4a3f"/></svg>`,
  );
  const pixels = await toPixels(sharp(shapes).removeAlpha());
  for (let at = 0; at < pixels.data.length; at += 3) {
    const row = Math.floor(at / (3 * width));
    const grain = Math.round((row > height * 0.6 ? 9 : 1) * noise());
    for (let channel = 0; channel < 3; channel++) {
      pixels.data[at + channel] = Math.min(255, Math.max(0, pixels.data[at + channel]! + grain));
    }
  }
  return pixels;
}

export function toSharp({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

/** Also ends a pipeline of sharp, which reorders its operations: what follows is applied after it. */
export async function toPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (channels !== 3 && channels !== 4) throw new Error(`${channels} channels`);
  return { data, width, height, channels };
}

/** Peak signal-to-noise ratio in dB. */
export function psnr(one: Pixels, other: Pixels): number {
  let sum = 0;
  for (let at = 0; at < one.data.length; at++) sum += (one.data[at]! - other.data[at]!) ** 2;
  return 10 * Math.log10((255 * 255 * one.data.length) / sum);
}
