/** Writes a number of bytes in MB of 10⁶ bytes, with one decimal. */
export function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
