import type { Pixels } from "@atelier/watermark";
import sharp, { type Sharp } from "sharp";
import { toPixels, toSharp } from "./watermark/pictures.ts";

type Change = (pixels: Pixels) => Promise<Pixels>;

/** Edits that people make to a picture of theirs, and those that take the perceptual hash away. */
export const edits: readonly { readonly name: string; readonly apply: Change }[] = [
  { name: "crop to the upper left quarter", apply: (p) => part(p, 0, 0, 0.5, 0.5) },
  { name: "crop to 16 % of the area", apply: (p) => part(p, 0.35, 0.25, 0.4, 0.4) },
  { name: "crop to the right half", apply: (p) => part(p, 0.5, 0, 0.5, 1) },
  { name: "turned crop", apply: async (p) => part(await turned(p, 3), 0.15, 0.15, 0.6, 0.6) },
  { name: "broad white border", apply: bordered },
  { name: "caption bar", apply: (p) => covered(p, { left: 0, top: 0.82, width: 1, height: 0.18 }) },
  {
    name: "sticker on a ninth",
    apply: (p) => covered(p, { left: 0.5, top: 0.15, width: 0.33, height: 0.33 }),
  },
  {
    name: "replaced centre (a quarter)",
    apply: (p) => covered(p, { left: 0.25, top: 0.25, width: 0.5, height: 0.5 }),
  },
  {
    name: "replaced left half",
    apply: (p) => covered(p, { left: 0, top: 0, width: 0.5, height: 1 }),
  },
  { name: "grey, more contrast", apply: (p) => done(toSharp(p).greyscale().linear(1.4, -40)) },
  { name: "darker by half", apply: (p) => done(toSharp(p).linear(0.5, 0)) },
  { name: "blur", apply: (p) => done(toSharp(p).blur(1.2)) },
  {
    name: "mirror and crop",
    apply: async (p) => part(await done(toSharp(p).flop()), 0.1, 0.2, 0.7, 0.7),
  },
  { name: "beside another picture", apply: besideAnother },
];

/** The treatments of a picture that carries a copied mark. */
export const forgeries: readonly Change[] = [
  async (p) => p,
  (p) => done(toSharp(p).jpeg({ quality: 85 })),
  (p) => part(p, 0.1, 0.1, 0.8, 0.8),
  (p) => part(p, 0, 0, 0.6, 0.7),
  (p) => done(toSharp(p).resize(Math.round(p.width * 0.7))),
  bordered,
];

async function done(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  if (info.format !== "raw") return toPixels(sharp(data));
  return toPixels(sharp(data, { raw: info }));
}

function part(p: Pixels, left: number, top: number, width: number, height: number) {
  return toPixels(
    toSharp(p).extract({
      left: Math.round(p.width * left),
      top: Math.round(p.height * top),
      width: Math.floor(p.width * width),
      height: Math.floor(p.height * height),
    }),
  );
}

function turned(p: Pixels, degrees: number): Promise<Pixels> {
  return toPixels(toSharp(p).rotate(degrees, { background: "#fff" }));
}

function bordered(p: Pixels): Promise<Pixels> {
  const [across, down] = [Math.round(p.width * 0.15), Math.round(p.height * 0.1)];
  const edge = { left: across, right: across, top: down, bottom: 2 * down };
  return toPixels(toSharp(p).extend({ ...edge, background: "#fafafa" }));
}

/** Part of a picture that something else covers: its own content, mirrored and turned to negative. */
async function covered(
  p: Pixels,
  area: { left: number; top: number; width: number; height: number },
): Promise<Pixels> {
  const box = {
    left: Math.round(p.width * area.left),
    top: Math.round(p.height * area.top),
    width: Math.floor(p.width * area.width),
    height: Math.floor(p.height * area.height),
  };
  const cut = await toPixels(toSharp(p).extract(box));
  const turnedOver = await toPixels(toSharp(cut).rotate(180).negate());
  const input = Buffer.from(turnedOver.data);
  const raw = { width: cut.width, height: cut.height, channels: cut.channels };
  return toPixels(toSharp(p).composite([{ input, raw, left: box.left, top: box.top }]));
}

async function besideAnother(p: Pixels): Promise<Pixels> {
  const other = await toPixels(toSharp(p).rotate(180).negate());
  const raw = { width: p.width, height: p.height, channels: p.channels };
  const page = { width: 2 * p.width, height: p.height, channels: 3 as const, background: "#fff" };
  return toPixels(
    sharp({ create: page }).composite([
      { input: Buffer.from(p.data), raw, left: 0, top: 0 },
      { input: Buffer.from(other.data), raw, left: p.width, top: 0 },
    ]),
  );
}
