import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Texts that a vocabulary was not written from, by language. */
export interface GateTexts {
  readonly sentences: ReadonlyMap<string, readonly string[]>;
  /** The most frequent words of a language, most frequent first. */
  readonly frequentWords: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads `sentences/<language>.txt` and `frequent-words/<language>.txt` of a folder, a text per line.
 *
 * @throws Error for a folder without them.
 */
export function readGateTexts(folder: string): GateTexts {
  return {
    sentences: readLines(join(folder, "sentences")),
    frequentWords: readLines(join(folder, "frequent-words")),
  };
}

function readLines(folder: string): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(folder).filter((file) => file.endsWith(".txt"));
  return new Map(
    files.sort().map((file) => {
      const lines = readFileSync(join(folder, file), "utf8").split("\n");
      return [file.replace(/\.txt$/u, ""), lines.filter((line) => line.trim() !== "")];
    }),
  );
}
