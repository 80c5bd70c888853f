import { copyFile, rename, rm, stat, truncate } from "node:fs/promises";
import { startLoop, type Loop } from "@atelier/process";

const checkMs = 60_000;

/** A log that exceeds this is rotated, in bytes. With its copies, a log takes six times as much at most. */
const maxBytes = 20e6;

/** Earlier logs that are kept, as `<name>.1`, the newest, to `<name>.4`. */
const copies = 4;

/**
 * Copies a log that is too long to `<name>.1`, and empties it. The programs append to it meanwhile, so it cannot be
 * renamed; lines that they write between the two steps are lost. Earlier copies move only once the new one is complete:
 * on a full disk all of them stay.
 *
 * @param longest bytes up to which it is left as it is.
 */
export async function rotateLog(path: string, longest = maxBytes): Promise<void> {
  const { size } = await stat(path).catch(zeroIfMissing);
  if (size <= longest) return;
  const copy = `${path}.new`;
  try {
    await copyFile(path, copy);
  } catch (error) {
    await rm(copy, { force: true });
    throw error;
  }
  for (let number = copies - 1; number > 0; number--) {
    await rename(`${path}.${number}`, `${path}.${number + 1}`).catch(zeroIfMissing);
  }
  await rename(copy, `${path}.1`);
  await truncate(path);
}

/** Rotates logs while the programs run. */
export function startRotation(paths: readonly string[], report: (sentence: string) => void): Loop {
  return startLoop(() => Promise.all(paths.map((path) => rotateLog(path))), {
    firstDelayMs: 0,
    delayMs: () => checkMs,
    onError: (error) => report(`A log could not be rotated: ${(error as Error).message}.`),
  });
}

/** A log or a copy that does not exist yet. */
function zeroIfMissing(error: unknown): { size: number } {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return { size: 0 };
  throw error;
}
