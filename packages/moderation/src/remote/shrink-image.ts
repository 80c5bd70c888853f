const longestEdge = 1024;

/** An image as classifiers take it: JPEG, at most 1024 pixels across, as a data URL. */
export async function toSmallDataUrl(image: Uint8Array): Promise<string> {
  // Loaded when the first image is judged: it takes longer than everything else of this package.
  const { default: sharp } = await import("sharp");
  // As strict as marking is, and no stricter: what may be delivered is judged.
  const jpeg = await sharp(image, { failOn: "error" })
    .resize(longestEdge, longestEdge, { fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .jpeg({ quality: 85 })
    .toBuffer();
  return `data:image/jpeg;base64,${jpeg.toString("base64")}`;
}
