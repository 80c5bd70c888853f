import type { Pixels } from "@atelier/watermark";
import sharp, { type Sharp } from "sharp";
import { toPixels, toSharp } from "./pictures.ts";

/** Modifications of images in distribution, each with the fraction of marks that must survive. */
export interface Attack {
  readonly name: string;
  readonly aim: number;
  readonly apply: (pixels: Pixels) => Promise<Pixels>;
}

const reencoded = async (image: Sharp) => toPixels(sharp(await image.toBuffer()));

const scaled = (factor: number) => (pixels: Pixels) =>
  toPixels(toSharp(pixels).resize(Math.round(pixels.width * factor)));

const cut =
  (across: number, down = across) =>
  (pixels: Pixels) => {
    const { width, height } = pixels;
    return toPixels(
      toSharp(pixels).extract({
        left: Math.round(width * across),
        top: Math.round(height * down),
        width: Math.round(width * (1 - 2 * across)),
        height: Math.round(height * (1 - 2 * down)),
      }),
    );
  };

/** The image at 73 % on a light, slightly larger page. */
async function screenshot(pixels: Pixels): Promise<Pixels> {
  const [width, height] = [Math.round(pixels.width * 0.73), Math.round(pixels.height * 0.73)];
  const input = await toSharp(pixels).resize(width, height).png({ compressionLevel: 0 }).toBuffer();
  const page = { width: Math.round(width * 1.3), height: height + 120, channels: 3 as const };
  return reencoded(
    sharp({ create: { ...page, background: "#f4f4f4" } })
      .composite([{ input, left: 57, top: 33 }])
      .png({ compressionLevel: 0 }),
  );
}

/** Cropped, downscaled and compressed, as on social networks. */
async function shared(pixels: Pixels): Promise<Pixels> {
  const smaller = toSharp(await cut(0.04, 0.08)(pixels)).resize(800);
  return reencoded(smaller.jpeg({ quality: 60 }));
}

export const attacks: readonly Attack[] = [
  { name: "JPEG quality 70", aim: 0.99, apply: (p) => reencoded(toSharp(p).jpeg({ quality: 70 })) },
  { name: "JPEG quality 50", aim: 0.99, apply: (p) => reencoded(toSharp(p).jpeg({ quality: 50 })) },
  { name: "JPEG quality 30", aim: 0.97, apply: (p) => reencoded(toSharp(p).jpeg({ quality: 30 })) },
  { name: "WebP quality 75", aim: 0.99, apply: (p) => reencoded(toSharp(p).webp({ quality: 75 })) },
  { name: "resize to 50 %", aim: 0.99, apply: scaled(0.5) },
  { name: "resize to 33 %", aim: 0.99, apply: scaled(0.33) },
  { name: "gamma 1.4", aim: 0.99, apply: (p) => toPixels(toSharp(p).gamma(1.4)) },
  { name: "mirror", aim: 0.99, apply: (p) => toPixels(toSharp(p).flop()) },
  { name: "crop 10 % per side", aim: 0.97, apply: cut(0.1) },
  { name: "crop 25 % per side", aim: 0.97, apply: cut(0.25) },
  { name: "screenshot", aim: 0.97, apply: screenshot },
  {
    name: "rotate by 2°",
    aim: 0.97,
    apply: (p) => toPixels(toSharp(p).rotate(2, { background: "#fff" })),
  },
  { name: "rotate by 90°", aim: 0.97, apply: (p) => toPixels(toSharp(p).rotate(90)) },
  {
    name: "5 % narrower",
    aim: 0.97,
    apply: (p) =>
      toPixels(toSharp(p).resize(Math.round(p.width * 0.95), p.height, { fit: "fill" })),
  },
  {
    name: "forced to 16:9",
    aim: 0.97,
    apply: (p) => toPixels(toSharp(p).resize(1280, 720, { fit: "fill" })),
  },
  { name: "crop, resize, JPEG 60", aim: 0.97, apply: shared },
];
