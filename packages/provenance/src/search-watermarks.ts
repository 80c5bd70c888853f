import { createWatermarkKey, searchWatermarks, type SearchableImage } from "@atelier/watermark";

/**
 * Creates a search for the watermarks of an installation, which returns their ids, the most certain
 * first.
 *
 * @param secrets the current one first.
 */
export function createSearch(secrets: readonly string[]): (image: SearchableImage) => string[] {
  const keys = secrets.map((secret) => createWatermarkKey(Buffer.from(secret)));
  return (image) => searchWatermarks(image, keys).map(({ id }) => id);
}
