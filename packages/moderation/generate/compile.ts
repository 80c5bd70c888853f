import { normalise } from "../src/text/normalise.ts";
import { splitWords } from "../src/text/tokenise.ts";
import { addPhrase, createBranch, flattenPhrases } from "./build-phrases.ts";
import type { Concept } from "../src/lexicon/concepts.ts";
import type { Language } from "../src/lexicon/endings.ts";
import { expand } from "./expand.ts";
import {
  packEntry,
  packLine,
  type LexiconTables,
  type WordEntry,
} from "../src/lexicon/index-file.ts";
import { buildLetterTrie } from "../src/lexicon/letter-trie.ts";
import { loadVocabulary } from "./load-vocabulary.ts";

type Draft = { -readonly [Field in keyof Omit<WordEntry, "key">]: WordEntry[Field] };

/** Concepts whose words are worth hiding. */
const coreConcepts: ReadonlySet<Concept> = new Set<Concept>([
  "nudity",
  "nudityWord",
  "sexualAct",
  "sexTopic",
  "abuseTopic",
  "abuseCode",
  "genital",
  "suggestive",
  "sexyWord",
  "undressing",
  "nudify",
  "minor",
  "girlWord",
  "boyWord",
  "person",
  "profanity",
  "slur",
  "drugs",
  "gore",
  "killing",
  "terrorist",
  "bannedGroup",
  "killOrder",
  "praise",
  "group",
  "selfHarm",
  "forgery",
  "identityDocument",
  "banknote",
]);

/** Common words that stand between those of the vocabulary when a whole text is written as one word. */
const fillers: ReadonlySet<string> = new Set(
  "a an the of on in at with and for to her his my is no by from as are it who two old man lying sitting standing posing bed room sofa beach house un una une la le de die der das ein eine e il uma el et y und mit en avec con com dans sur".split(
    " ",
  ),
);

/** Of those, the ones that the legal floor is about. */
const floorConcepts: ReadonlySet<Concept> = new Set<Concept>([
  "nudity",
  "nudityWord",
  "sexualAct",
  "sexTopic",
  "abuseTopic",
  "abuseCode",
  "genital",
  "suggestive",
  "undressing",
  "nudify",
  "minor",
  "terrorist",
  "bannedGroup",
  "forgery",
  "identityDocument",
  "banknote",
]);

const none: readonly never[] = [];
const anchorMark = "^";
const stemMark = "~";
const prefixMark = "*";

/** Spaces outside brackets. */
function chunksOf(pattern: string): string[] {
  if (!pattern.includes("(")) return pattern.split(" ");
  const chunks: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= pattern.length; at += 1) {
    const sign = pattern[at];
    if (sign === "(") depth += 1;
    else if (sign === ")") depth -= 1;
    else if ((sign === " " && depth === 0) || sign === undefined) {
      chunks.push(pattern.slice(from, at));
      from = at + 1;
    }
  }
  return chunks;
}

/** Compiles the vocabulary of all languages for data/lexicon.bin; takes about a second. */
export function compileLexicon(): LexiconTables {
  const root = createBranch();
  const drafts = new Map<string, Draft>();
  const wordsOfStem = new Map<string, string[]>();
  const lines: number[] = [];

  function addWord(raw: string, language: Language, isCore: boolean, isFloor: boolean): string {
    const last = raw.at(-1);
    const open = last === stemMark ? "stem" : last === prefixMark ? "prefix" : "exact";
    const word = open === "stem" ? `${raw}${language}` : raw;
    const isGerman = open === "exact" && language === "de";
    const known = drafts.get(word);
    if (known !== undefined) {
      known.isCore ||= isCore;
      known.isFloor ||= isFloor;
      known.isGerman ||= isGerman;
      return word;
    }
    const stem = open === "exact" ? raw : raw.slice(0, -1);
    const isFiller = fillers.has(word);
    drafts.set(word, { language, open, stem: stem.length, isCore, isFloor, isFiller, isGerman });
    wordsOfStem.set(stem, [...(wordsOfStem.get(stem) ?? none), word]);
    return word;
  }

  /** The words of each form of a chunk; the same chunks come again and again. */
  const forms = new Map<string, readonly (readonly string[])[]>();
  function formsOf(chunk: string): readonly (readonly string[])[] {
    let found = forms.get(chunk);
    if (found === undefined) {
      found = expand(normalise(chunk)).map((form) => form.split(" ").flatMap(splitMarked));
      forms.set(chunk, found);
    }
    return found;
  }

  for (const word of fillers) addWord(word, "any", false, false);

  for (const { concept, language, pattern } of loadVocabulary()) {
    const isAnchored = pattern.startsWith(anchorMark);
    const isCoreConcept = coreConcepts.has(concept);
    const isFloorConcept = floorConcepts.has(concept);
    const chunks = chunksOf(isAnchored ? pattern.slice(1) : pattern);
    const parts = chunks.map((chunk) =>
      formsOf(chunk).map((form) =>
        form.map((word) => {
          const isAlone = chunks.length === 1 && form.length === 1;
          const isCore = isCoreConcept && (isAlone || word.length >= 6);
          return addWord(word, language, isCore, isFloorConcept && isAlone);
        }),
      ),
    );
    addPhrase(root, parts, lines.length);
    lines.push(packLine({ concept, language, isAnchored }));
  }

  const trie = buildLetterTrie([...wordsOfStem.keys()]);
  const wordsOfNode = new Map(
    [...wordsOfStem].map(([stem, words]) => [trie.nodes.get(stem) ?? 0, words]),
  );
  const keys = new Map<string, number>();
  const entries: number[] = [];
  const firstEntries = trie.codes.map((_code, node) => {
    const first = entries.length;
    for (const word of wordsOfNode.get(node) ?? none) {
      const draft = drafts.get(word);
      if (draft === undefined) continue;
      keys.set(word, entries.length);
      entries.push(packEntry(draft));
    }
    return first;
  });
  firstEntries.push(entries.length);

  const phrases = flattenPhrases(root, (word) => {
    const key = keys.get(word);
    if (key === undefined) throw new Error(`the vocabulary's word "${word}" has no entry`);
    return key;
  });
  return {
    codes: Uint32Array.from(trie.codes),
    firstChildren: Uint32Array.from(trie.firstChildren),
    firstEntries: Uint32Array.from(firstEntries),
    entries: Uint32Array.from(entries),
    firstEdges: Uint32Array.from(phrases.firstEdges),
    edgeKeys: Uint32Array.from(phrases.edgeKeys),
    edgeTargets: Uint32Array.from(phrases.edgeTargets),
    firstEnds: Uint32Array.from(phrases.firstEnds),
    lines: Uint32Array.from(phrases.lines),
    meanings: Uint32Array.from(lines),
  };
}

/** The words of what stands between two spaces; a mark for an open end is kept on the last. */
function splitMarked(part: string): readonly string[] {
  if (part === "") return none;
  const mark = part.at(-1);
  if (mark !== stemMark && mark !== prefixMark) return splitWords(part);
  const split = splitWords(part.slice(0, -1));
  return split.map((word, at) => (at === split.length - 1 ? word + mark : word));
}
