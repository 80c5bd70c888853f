import { readFileSync, writeFileSync } from "node:fs";
import { toLookAlikes, normalise } from "../src/text/normalise.ts";
import { compileLexicon } from "./compile.ts";
import { createUndisguise } from "../src/lexicon/disguises.ts";
import { entriesOf, noLanguages, openLexicon } from "../src/lexicon/lexicon.ts";
import { languageCodes, type LanguageCode } from "../src/language/language-codes.ts";
import { segment } from "../src/lexicon/segment.ts";
import { hasExplicitRoot } from "./explicit-roots.ts";
import { ordinarySources, readSource } from "./ordinary-sources.ts";
import { readVocabularyLanguages } from "./vocabulary-languages.ts";

/**
 * Writes data/ordinary/<language>.txt: words of ordinary language that look like a disguise of a word of
 * the vocabulary ("beasts" and "breasts"), or that are in the vocabulary of another language only; and
 * data/ordinary/pairs.en.txt: pairs of words that look like one cut in two ("pen is"). Run it again after
 * changing the vocabulary. data/ordinary/README.md lists the packages, their licences and the commands.
 *
 *   node packages/moderation/generate/ordinary-words.ts folder [language ...]
 */
const [folder = "", ...chosen] = process.argv.slice(2);
const lexicon = openLexicon(compileLexicon(), noLanguages);
const undisguise = createUndisguise(lexicon);
const vocabulary = readVocabularyLanguages();
const target = new URL("../data/ordinary/", import.meta.url);

const longestWord = 40;
/** Polish negations and Portuguese verbs with pronouns make long forms by the million. */
const richLanguages: ReadonlySet<LanguageCode> = new Set<LanguageCode>(["pl", "pt"]);
const longestRich = 14;
const anyWord = /\p{L}+/gu;
const innerSign = /['’`\-‐]/u;
const innerSigns = new RegExp(innerSign.source, "gu");

/** The words of a phrase, and those with signs inside as one word, as texts are read. */
function wordsOf(phrase: string): string[] {
  const words = normalise(phrase).match(anyWord) ?? [];
  if (!innerSign.test(phrase) || phrase.includes(" ")) return words;
  return [...words, ...(normalise(phrase.replace(innerSigns, "")).match(anyWord) ?? [])];
}

function isWorthKeeping(word: string, language: LanguageCode): boolean {
  const longest = richLanguages.has(language) ? longestRich : longestWord;
  if (word.length < 2 || word.length > longest || hasExplicitRoot(word)) return false;
  const isLike = looksLikeVocabulary(word, language) || looksDrawnLikeVocabulary(word, language);
  return isLike && !isCompound(word, language);
}

function looksLikeVocabulary(word: string, language: LanguageCode): boolean {
  if (undisguise.isDisguise(word)) return !vocabulary.hasRelative(word, language);
  if (entriesOf(word, lexicon).length === 0) return false;
  const languages = vocabulary.languagesOf(word);
  return (
    languages.length > 0 &&
    !languages.includes("any") &&
    !languages.some((other) => other === language)
  );
}

/**
 * Whether a word is made of words of the vocabulary of its own language: it means what they say, and is
 * read as they are ("childporn").
 */
function isCompound(word: string, language: LanguageCode): boolean {
  if (word.length < 2 * shortestPart) return false;
  const { parts, skipped } = segment(word, lexicon);
  const known = parts.filter(({ from, to, isCore }) => {
    if (!isCore || to - from < shortestPart) return false;
    const languages = vocabulary.languagesOf(word.slice(from, to));
    return languages.some((found) => found === language || found === "any");
  });
  const letters = known.reduce((sum, { from, to }) => sum + to - from, 0);
  return skipped === 0 && known.length > 1 && letters >= word.length - 2;
}

const shortestPart = 4;

/** Whether the Latin letters that a word is drawn like are read as the vocabulary. */
function looksDrawnLikeVocabulary(word: string, language: LanguageCode): boolean {
  if (/^[a-z]/u.test(word)) return false;
  const latin = toLookAlikes(word);
  return latin !== word && /^[a-z]+$/u.test(latin) && looksLikeVocabulary(latin, language);
}

function write(name: string, words: Iterable<string>): void {
  const lines = [...words].sort((a, b) => (a < b ? -1 : 1));
  writeFileSync(new URL(name, target), lines.map((line) => `${line}\n`).join(""));
}

const maxSeen = 5_000_000;
for (const language of languageCodes) {
  const sources = ordinarySources[language];
  if (sources === undefined || (chosen.length > 0 && !chosen.includes(language))) continue;
  const kept = new Set<string>();
  const seen = new Set<string>();
  let read = 0;
  for (const source of sources) {
    readSource(source, folder, (phrase) => {
      read += 1;
      for (const word of wordsOf(phrase)) {
        if (seen.has(word)) continue;
        if (seen.size >= maxSeen) seen.clear();
        seen.add(word);
        if (isWorthKeeping(word, language)) kept.add(word);
      }
    });
  }
  write(`${language}.txt`, kept);
  process.stdout.write(`${language}: ${read} forms read, ${kept.size} kept\n`);
}

if (chosen.length === 0 || chosen.includes("pairs")) write("pairs.en.txt", ordinaryPairs());

/** Pairs of common English words that are one word of the vocabulary without the space. */
function ordinaryPairs(): string[] {
  const file = readFileSync(`${folder}/usr/share/dict/american-english`, "utf8");
  const common = new Set(
    file
      .split("\n")
      .map(normalise)
      .filter((word) => /^\p{L}{2,}$/u.test(word)),
  );
  const found: string[] = [];
  const { words, entriesAt } = lexicon;

  /** Every word of the vocabulary after a node whose rest is a common word, too. */
  function collect(left: string, rest: string, node: number): void {
    if (common.has(rest) && entriesAt(node).some(({ isCore }) => isCore))
      found.push(`${left} ${rest}`);
    for (let child = words.firstChild(node); child < words.firstChild(node + 1); child += 1) {
      collect(left, rest + String.fromCharCode(words.code(child)), child);
    }
  }

  for (const left of common) {
    let node = 0;
    for (const letter of left) {
      node = words.step(node, letter.charCodeAt(0));
      if (node === 0) break;
    }
    if (node !== 0) collect(left, "", node);
  }
  return found;
}
