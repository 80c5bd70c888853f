import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createUndisguise } from "../src/lexicon/disguises.ts";
import { compileLexicon } from "../src/lexicon/compile.ts";
import { noLanguages, openLexicon } from "../src/lexicon/lexicon.ts";
import { normalise } from "../src/text/normalise.ts";

/**
 * Writes data/ordinary-words.txt: words of ordinary language that look like a disguise of a word of
 * the vocabulary ("beasts" and "breasts"), and pairs of words that look like one cut in two ("pen is").
 * Run it again after changing the vocabulary.
 *
 *   node packages/moderation/generate/ordinary-words.ts folder
 *
 * The folder has one word list per language, a word a line, in UTF-8, under its Debian name:
 * data/README.md lists the packages and their licences. Pairs come from american-english (wamerican)
 * alone: larger lists hold every syllable as a word.
 */
const [folder = ""] = process.argv.slice(2);
const pairsFrom = "american-english";
/** Lists of every form of every word: long words of them would fill the file. */
const richLists = new Set(["polish", "ukrainian"]);
const longestRich = 8;
const lexicon = openLexicon(compileLexicon(), noLanguages);
const undisguise = createUndisguise(lexicon);

function readWords(file: string): string[] {
  const lines = readFileSync(`${folder}/${file}`, "utf8").split("\n");
  const words = lines.map((line) => normalise(line.replace(/[/\t].*/u, "")));
  const longest = richLists.has(file) ? longestRich : Number.POSITIVE_INFINITY;
  return [...new Set(words)].filter((word) => word.length <= longest && /^\p{L}+$/u.test(word));
}

const found = new Set<string>();
for (const file of readdirSync(folder)) {
  for (const word of readWords(file)) if (undisguise.isDisguise(word)) found.add(word);
}

const common = new Set(readWords(pairsFrom).filter((word) => word.length > 1));
for (const left of common) {
  let node = 0;
  for (const letter of left)
    node = node < 0 ? -1 : lexicon.words.step(node, letter.charCodeAt(0)) || -1;
  if (node < 0) continue;
  collectPairs(left, "", node);
}

/** Every word of the vocabulary after a node whose rest is a common word, too. */
function collectPairs(left: string, rest: string, node: number): void {
  const entries = lexicon.entriesAt(node);
  if (common.has(rest) && entries.some(({ isCore }) => isCore)) found.add(`${left} ${rest}`);
  const { words } = lexicon;
  for (let child = words.firstChild(node); child < words.firstChild(node + 1); child += 1) {
    collectPairs(left, rest + String.fromCharCode(words.code(child)), child);
  }
}

const lines = [...found].sort((a, b) => (a < b ? -1 : 1));
writeFileSync(new URL("../data/ordinary-words.txt", import.meta.url), `${lines.join("\n")}\n`);
