/**
 * How many bytes of C2PA data an image carries, in whichever of the three formats: as many as the
 * largest JUMBF superbox in it says (ISO/IEC 19566-5, annex A: length, `jumb`, then a description
 * box). Bytes that only look like one can make it more, and nothing can make it less. 0 without any.
 */
export function manifestSize(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hasDescription = (at: number) => file.toString("latin1", at, at + 4) === "jumd";
  let size = 0;
  for (let type = file.indexOf("jumb", 4); type !== -1; type = file.indexOf("jumb", type + 4)) {
    // A length of 1 stands for one in the eight bytes after the type, which nothing sensible needs.
    if (hasDescription(type + 16)) size = Math.max(size, file.length);
    if (hasDescription(type + 8)) size = Math.max(size, file.readUInt32BE(type - 4) || file.length);
  }
  return size;
}
