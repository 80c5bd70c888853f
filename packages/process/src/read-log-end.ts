import { open } from "node:fs/promises";

/** Bounds the read, since a log may be larger than a string can hold. */
const endBytes = 64 * 1024;
const linesShown = 20;

/**
 * The last lines of a log after its first `start` bytes; empty when the log can't be read, since the lines
 * only explain how a program ended.
 */
export async function readLogEnd(path: string, start: number): Promise<string[]> {
  try {
    await using log = await open(path);
    const { size } = await log.stat();
    // A log that was emptied since has only later lines.
    const position = Math.max(start > size ? 0 : start, size - endBytes);
    const { buffer, bytesRead } = await log.read({
      buffer: Buffer.alloc(endBytes),
      position,
    });
    const text = buffer.toString("utf8", 0, bytesRead).trimEnd();
    return text.split("\n").slice(-linesShown);
  } catch {
    return [];
  }
}
