const exifHeader = "Exif\0\0";
const orientationTag = 0x0112;
const shortType = 3;

/**
 * Reads the orientation of an image from its EXIF data (CIPA DC-008, 4.6.4): the first directory of a
 * TIFF structure, with or without the header that JPEG puts before it.
 *
 * @returns a value from 1 to 8; 1 for an image without an orientation.
 */
export function readOrientation(exif: Buffer): number {
  const tiff = exif.toString("latin1", 0, 6) === exifHeader ? exif.subarray(6) : exif;
  const order = tiff.toString("latin1", 0, 2);
  if (tiff.length < 8 || (order !== "II" && order !== "MM")) return 1;
  const isLittle = order === "II";
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return 1;
  const entries = short(directory);
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.length) break;
    if (short(at) !== orientationTag) continue;
    const value = short(at + 8);
    return short(at + 2) === shortType && value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** Whether an image of this orientation is shown with its sides exchanged. */
export function isTurned(orientation: number): boolean {
  return orientation >= 5;
}
