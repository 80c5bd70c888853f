/**
 * Size of an image's C2PA data in bytes, in any of the three formats: the length of its largest
 * JUMBF superbox (ISO/IEC 19566-5, annex A: length, `jumb`, then a description box). Bytes that
 * only resemble a box can increase the result; nothing can decrease it. 0 without C2PA data.
 */
export function manifestSize(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hasDescription = (at: number) => file.toString("latin1", at, at + 4) === "jumd";
  let size = 0;
  for (let type = file.indexOf("jumb", 4); type !== -1; type = file.indexOf("jumb", type + 4)) {
    // A length of 1 means that the eight bytes after the type hold it, which valid files do not
    // need.
    if (hasDescription(type + 16)) size = Math.max(size, file.length);
    if (hasDescription(type + 8)) size = Math.max(size, file.readUInt32BE(type - 4) || file.length);
  }
  return size;
}
