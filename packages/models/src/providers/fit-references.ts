import sharp from "sharp";
import type { ProviderReference } from "../provider.ts";
import { base64Length } from "./encode-reference.ts";

/** The longest edges, in pixels, that are tried for a reference that is too long as it is. */
const edges = [1536, 1024, 768, 512];

/** Shows what the picture does; what it weighs more at a higher quality buys nothing here. */
const quality = 90;

/**
 * References that are no longer than a request has room for, each with an equal part of it. One that
 * is too long is shown smaller, as JPEG on white; the others stay as they are.
 *
 * @param maxLength of all together, in characters of base64.
 */
export async function fitReferences(
  references: readonly ProviderReference[],
  maxLength: number,
): Promise<ProviderReference[]> {
  const fitting: ProviderReference[] = [];
  // One after the other: each takes the memory of its pixels.
  for (const reference of references) {
    fitting.push(await fit(reference, maxLength / references.length));
  }
  return fitting;
}

async function fit(reference: ProviderReference, maxLength: number): Promise<ProviderReference> {
  let shown = reference;
  for (const edge of edges) {
    if (base64Length(shown) <= maxLength) break;
    const bytes = await sharp(reference.bytes)
      .autoOrient()
      .resize({ width: edge, height: edge, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#fff" })
      .jpeg({ quality })
      .toBuffer();
    shown = { ...reference, bytes, mediaType: "image/jpeg" };
  }
  return shown;
}
