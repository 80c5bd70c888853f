import sharp, { type OverlayOptions } from "sharp";

const sheetWidth = 1_600;
const gap = 16;
const paper = "#f6f1e7";

/**
 * Arranges the images of a story on one sheet: small references at the top, and below them the
 * scenes in order, in rows that fill the width.
 *
 * @returns the sheet as PNG.
 */
export async function makeContactSheet(
  references: readonly Uint8Array[],
  scenes: readonly Uint8Array[],
): Promise<Buffer> {
  const placed: OverlayOptions[] = [];
  let top = gap;
  for (const { images, rowHeight } of [
    { images: references, rowHeight: 300 },
    { images: scenes, rowHeight: 500 },
  ]) {
    for (const row of rowsOf(await Promise.all(images.map(measure)), rowHeight)) {
      placed.push(...(await placeRow(row, top)));
      top += row.height + gap;
    }
  }
  return sharp({ create: { width: sheetWidth, height: top, channels: 3, background: paper } })
    .composite(placed)
    .png({ compressionLevel: 9 })
    .toBuffer();
}

interface Measured {
  readonly bytes: Uint8Array;
  /** Width divided by height. */
  readonly aspect: number;
}

interface Row {
  readonly images: readonly Measured[];
  readonly height: number;
}

async function measure(bytes: Uint8Array): Promise<Measured> {
  const { width, height } = await sharp(bytes).metadata();
  return { bytes, aspect: width / height };
}

/** Breaks images into rows, each stretched to the sheet's width, up to 1.2 times `rowHeight`. */
function rowsOf(images: readonly Measured[], rowHeight: number): Row[] {
  const rows: Measured[][] = [];
  for (const image of images) {
    const row = rows.at(-1);
    if (row === undefined || heightOf([...row, image]) < rowHeight * 0.8) rows.push([image]);
    else row.push(image);
  }
  return rows.map((row) => ({
    images: row,
    height: Math.floor(Math.min(heightOf(row), rowHeight * 1.2)),
  }));
}

/** The height at which a row fills the width of the sheet. */
function heightOf(row: readonly Measured[]): number {
  const aspects = row.reduce((sum, { aspect }) => sum + aspect, 0);
  return (sheetWidth - gap * (row.length + 1)) / aspects;
}

function placeRow({ images, height }: Row, top: number): Promise<OverlayOptions[]> {
  let left = gap;
  return Promise.all(
    images.map(async ({ bytes, aspect }) => {
      const width = Math.floor(height * aspect);
      const at = left;
      left += width + gap;
      return { input: await sharp(bytes).resize(width, height).png().toBuffer(), left: at, top };
    }),
  );
}
