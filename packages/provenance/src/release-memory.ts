/**
 * Gives the memory of large bytes back at once; they are empty afterwards. Left to the garbage
 * collector, the few megabytes of each image would have it look through the whole heap every time.
 */
export function releaseMemory(bytes: Uint8Array): void {
  const { buffer } = bytes;
  // Small buffers share their memory with others.
  if (buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength) buffer.transfer(0);
}
