import sharp from "sharp";
import type { ImageFile } from "../provider.ts";
import { base64Length } from "./encode-reference.ts";

/** Maximum edge lengths, in pixels, tried in order for an image that exceeds its share. */
const edges = [1536, 1024, 768, 512];

/** High enough to preserve the content; higher values only increase the size. */
const quality = 90;

/**
 * Fits images into the space of a request, each with an equal share. Larger images are
 * scaled down and converted to JPEG on white; the others stay unchanged.
 *
 * @param maxLength total length of all images, in base64 characters.
 */
export async function fitImages(
  images: readonly ImageFile[],
  maxLength: number,
): Promise<ImageFile[]> {
  const fitting: ImageFile[] = [];
  // One at a time, to limit the memory for decoded pixels.
  for (const image of images) {
    fitting.push(await fit(image, maxLength / images.length));
  }
  return fitting;
}

async function fit(image: ImageFile, maxLength: number): Promise<ImageFile> {
  let shown = image;
  for (const edge of edges) {
    if (base64Length(shown) <= maxLength) break;
    const bytes = await sharp(image.bytes)
      .autoOrient()
      .resize({ width: edge, height: edge, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#fff" })
      .jpeg({ quality })
      .toBuffer();
    shown = { ...image, bytes, mediaType: "image/jpeg" };
  }
  return shown;
}
