import sharp, { type Metadata } from "sharp";

/** A PNG of one colour. */
export const flat = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

/** A picture of one colour, and a mask that is transparent in its right half. */
export async function makePictures(): Promise<{ picture: Buffer; mask: Buffer }> {
  const mask = await sharp(await flat(64, 48, "#000"))
    .ensureAlpha()
    .composite([{ input: await flat(32, 48, "#fff"), left: 32, top: 0, blend: "dest-out" }])
    .png()
    .toBuffer();
  return { picture: await flat(64, 48, "#c03020"), mask };
}

/**
 * Mean difference of the picture and an edit of it in base64, from 0 to 255, left and right of the
 * mask's edge.
 */
export async function differencesOf(
  picture: Buffer,
  edited: string | undefined,
): Promise<{ left: number; right: number }> {
  const read = async (bytes: Buffer, left: number) =>
    sharp(bytes).removeAlpha().extract({ left, top: 0, width: 28, height: 48 }).raw().toBuffer();
  const differ = async (left: number) => {
    const after = await read(Buffer.from(edited ?? "", "base64"), left);
    const before = await read(picture, left);
    return (
      after.reduce((sum, value, at) => sum + Math.abs(value - (before[at] ?? 0)), 0) / after.length
    );
  };
  return { left: await differ(0), right: await differ(36) };
}

/** Reads the format and size of images in base64. */
export function readImages(images: readonly (string | undefined)[]): Promise<Metadata[]> {
  return Promise.all(images.map((text) => sharp(Buffer.from(text ?? "", "base64")).metadata()));
}
