import sharp from "sharp";

/**
 * Converts a mask to the form of OpenAI's API: a PNG whose transparent pixels mark what to change.
 *
 * @param mask an opaque grey PNG; white marks what to change.
 */
export async function toTransparencyMask(mask: Uint8Array): Promise<Buffer> {
  const { data, info } = await sharp(mask)
    .removeAlpha()
    .toColourspace("b-w")
    .negate()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return sharp({ create: { width, height, channels: 3, background: "#000" } })
    .joinChannel(data, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/**
 * Converts a mask to the form in which black marks what to change.
 *
 * @param mask an opaque grey PNG; white marks what to change.
 */
export function toBlackMask(mask: Uint8Array): Promise<Buffer> {
  return sharp(mask)
    .removeAlpha()
    .toColourspace("b-w")
    .negate()
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/** A rectangle in parts of a thousand of the image's width and height. */
interface MaskBounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The smallest rectangle that contains all pixels to change, or null if no pixel changes. */
export async function findMaskBounds(mask: Uint8Array): Promise<MaskBounds | null> {
  const { data, info } = await sharp(mask)
    .removeAlpha()
    .toColourspace("b-w")
    .resize({ width: 250, height: 250, fit: "fill", kernel: "nearest" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const bounds = { left: info.width, top: info.height, right: -1, bottom: -1 };
  for (const [index, value] of data.entries()) {
    if (value < 128) continue;
    const x = index % info.width;
    const y = Math.floor(index / info.width);
    bounds.left = Math.min(bounds.left, x);
    bounds.right = Math.max(bounds.right, x);
    bounds.top = Math.min(bounds.top, y);
    bounds.bottom = Math.max(bounds.bottom, y);
  }
  if (bounds.right < 0) return null;
  const { left, top, right, bottom } = bounds;
  return { left: left * 4, top: top * 4, right: (right + 1) * 4, bottom: (bottom + 1) * 4 };
}

/** A sentence that says where the area to change is, after two line breaks; empty without one. */
export async function describeArea(mask: Uint8Array): Promise<string> {
  const bounds = await findMaskBounds(mask);
  if (bounds === null) return "";
  const { left, top, right, bottom } = bounds;
  const percent = (value: number) => `${Math.round(value / 10)}%`;
  return `\n\nChange only the area from ${percent(left)} to ${percent(right)} of the width and from ${percent(top)} to ${percent(bottom)} of the height, and keep the rest exactly as it is.`;
}
