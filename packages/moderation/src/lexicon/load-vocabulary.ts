import { readdirSync, readFileSync } from "node:fs";
import { concepts, type Concept } from "./concepts.ts";
import { languages, type Language } from "./endings.ts";

/** One line of a vocabulary file. */
export interface Entry {
  readonly concept: Concept;
  readonly language: Language;
  /** See vocabulary/README.md for its grammar. */
  readonly pattern: string;
}

const folder = new URL("../../vocabulary/", import.meta.url);

function folderOf(concept: Concept): string {
  return concept.replace(/[A-Z]/gu, (capital) => `-${capital.toLowerCase()}`);
}

function isLanguage(name: string): name is Language {
  return languages.some((language) => language === name);
}

/**
 * Every line of vocabulary/<concept>/<language>.txt.
 *
 * @throws Error for a file that no language is named after.
 */
export function loadVocabulary(): Entry[] {
  const entries: Entry[] = [];
  for (const concept of concepts) {
    const directory = new URL(`${folderOf(concept)}/`, folder);
    for (const file of readdirSync(directory).sort()) {
      const language = file.replace(/\.txt$/u, "");
      if (!isLanguage(language))
        throw new Error(`vocabulary: ${concept}/${file} names no language`);
      for (const line of readFileSync(new URL(file, directory), "utf8").split("\n")) {
        const pattern = line.trim();
        if (pattern !== "" && !pattern.startsWith("#"))
          entries.push({ concept, language, pattern });
      }
    }
  }
  return entries;
}

/** Names of the folders that {@link loadVocabulary} does not read. */
export function unknownFolders(): string[] {
  const known = new Set(concepts.map(folderOf));
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !known.has(entry.name))
    .map(({ name }) => name);
}
