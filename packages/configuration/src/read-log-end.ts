import { open } from "node:fs/promises";

/** A log may have grown beyond what a string, or even a read of the whole file, can hold. */
const endBytes = 64 * 1024;
const linesShown = 20;

/**
 * The last lines of what was appended to a log after its first `start` bytes. They only explain the
 * end of a program and must not keep anybody from learning of it: there are none in a log that cannot
 * be read.
 */
export async function readLogEnd(path: string, start: number): Promise<string[]> {
  try {
    await using log = await open(path);
    const { size } = await log.stat();
    const position = Math.max(start, size - endBytes);
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
