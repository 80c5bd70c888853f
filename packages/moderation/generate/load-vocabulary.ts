import { readdirSync, readFileSync } from "node:fs";
import { concepts, type Concept } from "../src/lexicon/concepts.ts";
import { languages, type Language } from "../src/lexicon/endings.ts";

/** One line of a vocabulary file. */
export interface Entry {
  readonly concept: Concept;
  readonly language: Language;
  /** See vocabulary/README.md for its grammar. */
  readonly pattern: string;
}

const folder = new URL("../vocabulary/", import.meta.url);

function isConcept(name: string): name is Concept {
  return concepts.some((concept) => concept === name);
}

/**
 * Reads the entries of one vocabulary file.
 *
 * @throws Error for a section of no known concept, one that comes twice, and a line before the first.
 */
export function parseVocabulary(language: Language, text: string): Entry[] {
  const entries: Entry[] = [];
  const sections = new Set<Concept>();
  let concept: Concept | undefined;
  for (const line of text.split("\n")) {
    const pattern = line.trim();
    const [, name] = /^\[([^\]]*)\]$/u.exec(pattern) ?? [];
    if (name !== undefined) {
      if (!isConcept(name))
        throw new Error(`vocabulary: ${language} has an unknown section ${pattern}`);
      if (sections.has(name))
        throw new Error(`vocabulary: ${language} has two sections ${pattern}`);
      sections.add(name);
      concept = name;
    } else if (pattern !== "" && !pattern.startsWith("#")) {
      if (concept === undefined)
        throw new Error(`vocabulary: ${language} begins without a section`);
      entries.push({ concept, language, pattern });
    }
  }
  return entries;
}

/**
 * Reads vocabulary/<language>.txt of all languages. Returns the entries by concept, then by language.
 *
 * @throws Error for a file of no known language, and what {@link parseVocabulary} throws.
 */
export function loadVocabulary(): Entry[] {
  const unknown = readdirSync(folder).find(
    (file) => file.endsWith(".txt") && !languages.some((language) => file === `${language}.txt`),
  );
  if (unknown !== undefined) throw new Error(`vocabulary: ${unknown} names no language`);
  const byConcept = new Map<Concept, Entry[]>(concepts.map((concept) => [concept, []]));
  for (const language of languages) {
    const text = readFileSync(new URL(`${language}.txt`, folder), "utf8");
    for (const entry of parseVocabulary(language, text)) byConcept.get(entry.concept)?.push(entry);
  }
  return [...byConcept.values()].flat();
}
