import type { Pixels } from "@atelier/watermark";
import sharp, { type Sharp } from "sharp";
import { toPixels, toSharp } from "./pictures.ts";
import { asVideo, withHeic, withJpegXl } from "./external-encoders.ts";
import { bend, mapThrough, perspective, type Point } from "./warp.ts";

/** A change that copies of an image go through. */
export interface Attack {
  readonly name: string;
  /** @param others further marked pictures, for collages. */
  apply(pixels: Pixels, others: readonly Pixels[]): Promise<Pixels>;
}

type Change = (pixels: Pixels) => Promise<Pixels>;

const reencoded = async (image: Sharp) => toPixels(sharp(await image.toBuffer()));
const changed = (change: (image: Sharp, pixels: Pixels) => Sharp): Change => {
  return (pixels) => toPixels(change(toSharp(pixels), pixels));
};
const encoded = (change: (image: Sharp) => Sharp): Change => {
  return (pixels) => reencoded(change(toSharp(pixels)));
};
const inTurn =
  (...changes: readonly Change[]): Change =>
  async (pixels) => {
    let result = pixels;
    for (const change of changes) result = await change(result);
    return result;
  };

const jpeg = (quality: number): Change => encoded((image) => image.jpeg({ quality }));
const scaled = (factor: number): Change =>
  changed((image, { width }) => image.resize(Math.round(width * factor)));
const limitedTo = (side: number): Change =>
  changed((image) => image.resize(side, side, { fit: "inside", withoutEnlargement: true }));
const rotated = (angle: number, background = "#fff"): Change =>
  changed((image) => image.rotate(angle, { background }));
const cut = (left: number, top: number, width: number, height: number): Change =>
  changed((image, { width: across, height: down }) =>
    image.extract({
      left: Math.round(left * across),
      top: Math.round(top * down),
      width: Math.round(width * across),
      height: Math.round(height * down),
    }),
  );
const mapped = (map: (value: number) => number): Change => {
  return async (pixels) => ({ ...pixels, data: Uint8ClampedArray.from(pixels.data, map) });
};
const stretched = (across: number, down: number): Change =>
  changed((image, { width, height }) =>
    image.resize(Math.round(width * across), Math.round(height * down), { fit: "fill" }),
  );

/** Normally distributed noise, the same in every run. */
const noisy =
  (deviation: number): Change =>
  async (pixels) => {
    let state = 12_345;
    const uniform = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const noise = () => uniform() + uniform() + uniform() + uniform() - 2;
    const data = Uint8ClampedArray.from(
      pixels.data,
      (value) => value + deviation * Math.sqrt(3) * noise(),
    );
    return { ...pixels, data };
  };

/** Moves the corners by parts of the width and height. */
const tilted = (corners: readonly [Point, Point, Point, Point], background = 255): Change => {
  return async (pixels) => mapThrough(pixels, perspective(pixels, corners), background);
};

/** Borders on a page around a picture, in parts of the picture's width and height. */
interface Page {
  readonly scale: number;
  readonly background: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

async function onPage(
  pixels: Pixels,
  { scale, background, left, top, right, bottom }: Page,
): Promise<Pixels> {
  const width = Math.round(pixels.width * scale);
  const height = Math.round(pixels.height * scale);
  const input = await toSharp(pixels).resize(width, height).png({ compressionLevel: 0 }).toBuffer();
  const page = {
    width: width + Math.round(left * width) + Math.round(right * width),
    height: height + Math.round(top * height) + Math.round(bottom * height),
    channels: 3 as const,
    background,
  };
  return reencoded(
    sharp({ create: page })
      .composite([{ input, left: Math.round(left * width), top: Math.round(top * height) }])
      .png({ compressionLevel: 0 }),
  );
}

const drawn =
  (svg: string): Change =>
  async (pixels) => {
    const { width, height } = pixels;
    const input = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none">${svg}</svg>`,
    );
    return reencoded(toSharp(pixels).composite([{ input }]).png({ compressionLevel: 0 }));
  };

/** The picture and three others, each in a quarter. */
async function collage(pixels: Pixels, others: readonly Pixels[], gap: number): Promise<Pixels> {
  const [width, height] = [Math.round(pixels.width * 0.6), Math.round(pixels.height * 0.6)];
  const parts = await Promise.all(
    [others[0], pixels, others[1], others[2]].map((part) =>
      toSharp(part ?? pixels)
        .resize(width, height, { fit: "cover" })
        .png({ compressionLevel: 0 })
        .toBuffer(),
    ),
  );
  const page = { width: 2 * width + gap, height: 2 * height + gap, channels: 3 as const };
  return reencoded(
    sharp({ create: { ...page, background: "#fff" } })
      .composite(
        parts.map((input, index) => ({
          input,
          left: (index % 2) * (width + gap),
          top: (index >> 1) * (height + gap),
        })),
      )
      .jpeg({ quality: 85 }),
  );
}

const simple: readonly (readonly [string, Change])[] = [
  ["metadata removed", async (pixels) => pixels],
  ["JPEG quality 70", jpeg(70)],
  ["JPEG quality 50", jpeg(50)],
  ["JPEG quality 30", jpeg(30)],
  ["JPEG quality 20", jpeg(20)],
  ["WebP quality 75", encoded((image) => image.webp({ quality: 75 }))],
  ["WebP quality 50", encoded((image) => image.webp({ quality: 50 }))],
  ["AVIF quality 50", encoded((image) => image.avif({ quality: 50, effort: 2 }))],
  ["AVIF quality 35", encoded((image) => image.avif({ quality: 35, effort: 2 }))],
  ["HEIC quality 50", withHeic(50)],
  ["JPEG XL distance 2", withJpegXl(2)],
  ["H.264 at CRF 26", asVideo(26)],
  ["GIF of 128 colours", encoded((image) => image.gif({ colours: 128 }))],
  ["social network: 1080 px, JPEG 75", inTurn(limitedTo(1080), jpeg(75))],
  [
    "social network: cut, 800 px, JPEG 60",
    inTurn(cut(0.04, 0.08, 0.92, 0.84), limitedTo(800), jpeg(60)),
  ],
  [
    "messenger: 1280 px, JPEG 70, twice",
    inTurn(limitedTo(1280), jpeg(70), limitedTo(1000), jpeg(70)),
  ],
  ["messenger preview: 720 px, JPEG 50", inTurn(limitedTo(720), jpeg(50))],
  ["half the size", scaled(0.5)],
  ["a third of the size", scaled(0.33)],
  ["twice the size", scaled(2)],
  ["thumbnail of 256 px", limitedTo(256)],
  [
    "screenshot on a light page",
    (pixels) =>
      onPage(pixels, {
        scale: 0.73,
        background: "#f4f4f4",
        left: 0.08,
        top: 0.06,
        right: 0.22,
        bottom: 0.2,
      }),
  ],
  [
    "screenshot of a phone, JPEG 80",
    inTurn(
      (pixels) =>
        onPage(pixels, {
          scale: 0.7,
          background: "#101014",
          left: 0,
          top: 0.35,
          right: 0,
          bottom: 0.6,
        }),
      jpeg(80),
    ),
  ],
  [
    "white border of 10 %",
    (pixels) =>
      onPage(pixels, {
        scale: 1,
        background: "#fff",
        left: 0.1,
        top: 0.1,
        right: 0.1,
        bottom: 0.1,
      }),
  ],
  [
    "instant film frame",
    (pixels) =>
      onPage(pixels, {
        scale: 1,
        background: "#eee",
        left: 0.05,
        top: 0.05,
        right: 0.05,
        bottom: 0.25,
      }),
  ],
  ["crop of 10 % per side", cut(0.1, 0.1, 0.8, 0.8)],
  ["crop of 25 % per side", cut(0.25, 0.25, 0.5, 0.5)],
  ["crop to 16 % of the area", cut(0.31, 0.27, 0.4, 0.4)],
  ["crop of the left half", cut(0, 0, 0.5, 1)],
  ["crop to a banner", cut(0, 0.3, 1, 0.35)],
  ["mirrored", changed((image) => image.flop())],
  [
    "mirrored and cropped",
    inTurn(
      changed((image) => image.flop()),
      cut(0.12, 0.05, 0.7, 0.8),
    ),
  ],
  ["rotated by 1°", rotated(1)],
  ["rotated by 3° and cropped", inTurn(rotated(3), cut(0.1, 0.1, 0.8, 0.8))],
  ["rotated by 5°", rotated(5)],
  ["rotated by 10°", rotated(10, "#000")],
  ["rotated by 17°, JPEG 70", inTurn(rotated(17), jpeg(70))],
  ["rotated by 30° and cropped", inTurn(rotated(30), cut(0.25, 0.25, 0.5, 0.5))],
  ["rotated by 45°", rotated(45)],
  ["rotated by 90°", rotated(90)],
  ["rotated by 180°", rotated(180)],
  ["5 % narrower", stretched(0.95, 1)],
  ["12 % lower", stretched(1, 0.88)],
  ["forced to 16:9", changed((image) => image.resize(1280, 720, { fit: "fill" }))],
  [
    "perspective of 2 %",
    tilted([
      { x: 0.02, y: 0 },
      { x: -0.01, y: 0.01 },
      { x: 0, y: -0.02 },
      { x: 0.01, y: 0 },
    ]),
  ],
  [
    "perspective of 5 %",
    tilted([
      { x: 0.05, y: 0.01 },
      { x: -0.04, y: 0.02 },
      { x: 0, y: 0 },
      { x: 0.01, y: -0.02 },
    ]),
  ],
  [
    "photo of a screen, tilted",
    inTurn(
      tilted(
        [
          { x: 0.03, y: 0.02 },
          { x: -0.01, y: 0.04 },
          { x: -0.02, y: -0.01 },
          { x: 0.02, y: -0.03 },
        ],
        30,
      ),
      rotated(2.5, "#222"),
      changed((image) => image.blur(0.7).gamma(1.2)),
      noisy(3),
      jpeg(80),
    ),
  ],
  [
    "skewed by 4 %",
    tilted([
      { x: 0.04, y: 0 },
      { x: 0.04, y: 0 },
      { x: 0, y: 0 },
      { x: 0, y: 0 },
    ]),
  ],
  [
    "stickers and text",
    drawn(
      `<circle cx="22" cy="25" r="11" fill="#fc3"/><rect x="55" y="70" width="40" height="14" fill="#e33"/><text x="57" y="80" font-size="9" fill="#fff">SALE</text><text x="8" y="95" font-size="8" fill="#fff" stroke="#000" stroke-width=".4">look at this</text>`,
    ),
  ],
  ["centre replaced", drawn(`<rect x="25" y="25" width="50" height="50" fill="#7a8c99"/>`)],
  [
    "grey",
    async (pixels) =>
      toPixels(sharp(await toSharp(pixels).greyscale().png().toBuffer()).toColourspace("srgb")),
  ],
  ["inverted", mapped((value) => 255 - value)],
  ["posterised to 8 levels", mapped((value) => Math.round(value / 36.4) * 36.4)],
  ["brighter, more contrast", mapped((value) => 1.3 * (value - 128) + 145)],
  ["gamma 1.4", changed((image) => image.gamma(1.4))],
  [
    "sepia filter",
    changed((image) =>
      image.recomb([
        [0.393, 0.769, 0.189],
        [0.349, 0.686, 0.168],
        [0.272, 0.534, 0.131],
      ]),
    ),
  ],
  [
    "vivid filter",
    changed((image) => image.modulate({ saturation: 1.6, hue: 20 }).linear(1.1, -8)),
  ],
  ["sharpened", changed((image) => image.sharpen({ sigma: 1.5 }))],
  ["blurred by 1 pixel", changed((image) => image.blur(1))],
  ["median of 3 × 3", changed((image) => image.median(3))],
  ["denoised", changed((image) => image.median(3).blur(0.6).sharpen())],
  ["noise of 8 levels", noisy(8)],
  ["noise of 15 levels", noisy(15)],
  [
    "print and scan",
    inTurn(
      rotated(0.7),
      changed((image) => image.blur(0.8).gamma(1.25)),
      scaled(0.85),
      noisy(5),
      jpeg(75),
    ),
  ],
  ["warped by 2 pixels", async (pixels) => mapThrough(pixels, bend(pixels, 2), 255)],
];

export const attacks: readonly Attack[] = [
  ...simple.map(([name, apply]) => ({ name, apply })),
  { name: "collage of four", apply: (pixels, others) => collage(pixels, others, 0) },
  { name: "collage of four with a gap", apply: (pixels, others) => collage(pixels, others, 12) },
];
