import { unzipSync } from "fflate";
import { request } from "../api.ts";

/** Width and height in pixels. */
const side = 160;
/** The most that a preset takes. */
const maxBytes = 8_192;
const qualities = [0.8, 0.6, 0.4, 0.2, 0.1];

/**
 * Makes a small square picture of an image, in base64. The image is read from the archive of its job, because pages
 * may not read files of the storage.
 *
 * @param index its position in the result, from 0.
 * @returns null for an image that cannot be read.
 */
export async function makeSmallPicture(jobId: string, index: number): Promise<string | null> {
  const archive = await request("GET /v1/jobs/{id}/archive", { id: jobId });
  const [bytes] = Object.values(
    unzipSync(new Uint8Array(await archive.arrayBuffer()), {
      filter: ({ name }) => Number(/^(?:image|scene)-(\d+)\./.exec(name)?.[1]) === index + 1,
    }),
  );
  if (bytes === undefined) return null;
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(side, side);
  const shorter = Math.min(bitmap.width, bitmap.height);
  const [left, top] = [(bitmap.width - shorter) / 2, (bitmap.height - shorter) / 2];
  const context = canvas.getContext("2d");
  if (context === null) return null;
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, side, side);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, left, top, shorter, shorter, 0, 0, side, side);
  bitmap.close();
  for (const quality of qualities) {
    // A browser that cannot write WebP writes PNG.
    const webp = await canvas.convertToBlob({ type: "image/webp", quality });
    const small =
      webp.type === "image/webp"
        ? webp
        : await canvas.convertToBlob({ type: "image/jpeg", quality });
    if (small.size <= maxBytes) return toBase64(new Uint8Array(await small.arrayBuffer()));
  }
  return null;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
