import { normalise } from "../src/text/normalise.ts";
import { splitWords } from "../src/text/tokenise.ts";
import { isEnding, languages, type Language } from "../src/lexicon/endings.ts";
import { expand } from "./expand.ts";
import type { Concept } from "../src/lexicon/concepts.ts";
import { loadVocabulary } from "./load-vocabulary.ts";

/** The words that mean something alone in one language of the vocabulary. */
interface Words {
  readonly exact: Set<string>;
  readonly stems: Set<string>;
  readonly prefixes: Set<string>;
}

/** In which languages a word is in the vocabulary, as a phrase of this one word. */
export interface VocabularyLanguages {
  languagesOf(word: string): Language[];
  /**
   * Whether a word has the root of an explicit word of a language, as Spanish "desnudara" and "desnudar"
   * have, or is an explicit word or a word for minors with another ending. Such words are no accidental
   * look-alikes.
   */
  hasRelative(word: string, language: string): boolean;
}

const explicitConcepts: ReadonlySet<Concept> = new Set<Concept>([
  "nudity",
  "nudityWord",
  "sexualAct",
  "sexTopic",
  "abuseTopic",
  "abuseCode",
  "genital",
  "undressing",
  "nudify",
  "suggestive",
]);
const shortestRoot = 6;
/** Words for minors and explicit words with an ending that the vocabulary does not know. */
const inflectedConcepts: ReadonlySet<Concept> = new Set<Concept>([...explicitConcepts, "minor"]);
const shortestInflected = 5;
const longestEnding = 4;
/** The part of both words that must be the same. */
const rootShare = 0.8;

function rootLength(word: string): number {
  return Math.max(shortestRoot, Math.ceil(word.length * rootShare));
}

/** Reads the vocabulary by language: the compiled one keeps one language of each word. */
export function readVocabularyLanguages(): VocabularyLanguages {
  const byLanguage = new Map<Language, Words>(
    languages.map((language) => [
      language,
      { exact: new Set(), stems: new Set(), prefixes: new Set() },
    ]),
  );
  const inflected = new Map<string, Set<string>>(
    languages.map((language) => [language, new Set()]),
  );
  const roots = new Map<string, Set<string>>(languages.map((language) => [language, new Set()]));
  for (const { concept, language, pattern } of loadVocabulary()) {
    const words = byLanguage.get(language);
    if (words === undefined || pattern.includes(" ")) continue;
    for (const form of expand(normalise(pattern.replace(/^\^/u, "")))) {
      const split = splitWords(form.replace(/[~*]$/u, ""));
      const [word] = split;
      if (word === undefined || split.length > 1) continue;
      if (form.endsWith("~")) words.stems.add(word);
      else if (form.endsWith("*")) words.prefixes.add(word);
      else words.exact.add(word);
      if (inflectedConcepts.has(concept) && word.length >= shortestInflected) {
        inflected.get(language)?.add(word);
      }
      if (!explicitConcepts.has(concept)) continue;
      for (let end = rootLength(word); end <= word.length; end += 1) {
        roots.get(language)?.add(word.slice(0, end));
      }
    }
  }

  function has({ exact, stems, prefixes }: Words, word: string, language: Language): boolean {
    if (exact.has(word)) return true;
    for (let end = 1; end <= word.length; end += 1) {
      const beginning = word.slice(0, end);
      if (prefixes.has(beginning)) return true;
      if (stems.has(beginning) && isEnding(word.slice(end), language)) return true;
    }
    return false;
  }

  return {
    hasRelative(word, language) {
      const stems = inflected.get(language);
      for (let end = word.length - longestEnding; end <= word.length; end += 1) {
        if (stems?.has(word.slice(0, Math.max(0, end))) === true) return true;
      }
      const found = roots.get(language);
      for (let end = rootLength(word); end <= word.length; end += 1) {
        if (found?.has(word.slice(0, end)) === true) return true;
      }
      return false;
    },
    languagesOf: (word) =>
      [...byLanguage].flatMap(([language, words]) =>
        has(words, word, language) ? [language] : [],
      ),
  };
}
