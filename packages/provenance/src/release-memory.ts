/**
 * Frees the memory of a large buffer at once; the buffer is empty afterwards. Otherwise the few
 * megabytes of each image would trigger full garbage collections.
 */
export function releaseMemory(bytes: Uint8Array): void {
  const { buffer } = bytes;
  // Small buffers share their memory with other buffers.
  if (buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength) buffer.transfer(0);
}
