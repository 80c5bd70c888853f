/** Size from which the lines of a batch begin another part, in bytes. */
export const partBytes = 256_000;

export const newline = 0x0a;

/** Joins lines to parts of a limited size, with the positions of their lines from 1. */
export function joinLines(lines: readonly Buffer[]) {
  const parts: { firstLine: number; lastLine: number; lines: Buffer }[] = [];
  let open: Buffer[] = [];
  let openBytes = 0;
  for (const [index, line] of lines.entries()) {
    open.push(line);
    openBytes += line.byteLength + 1;
    if (openBytes < partBytes && index < lines.length - 1) continue;
    const firstLine = index + 2 - open.length;
    parts.push({ firstLine, lastLine: index + 1, lines: joinWithNewlines(open) });
    open = [];
    openBytes = 0;
  }
  return parts;
}

/** Joins lines, each with a newline at its end. */
export function joinWithNewlines(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.of(newline)]));
}

/** Splits a text at its newlines. Empty lines, also of Windows, are left out. */
export function splitLines(bytes: Uint8Array): Buffer[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: Buffer[] = [];
  for (let start = 0; start < text.length;) {
    const found = text.indexOf(newline, start);
    const end = found === -1 ? text.length : found;
    const line = text.subarray(start, end);
    if (!isBlank(line)) lines.push(line);
    start = end + 1;
  }
  return lines;
}

/** Whether a line has only spaces, tabs and carriage returns. */
export function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
