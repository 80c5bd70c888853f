import { squeeze } from "./normalise.ts";
import { splitWords } from "./tokenise.ts";
import { isConcept, vocabulary, type Concept } from "./vocabulary/index.ts";

/** One word or phrase of the vocabulary. */
export interface Term {
  readonly concept: Concept;
  /** Tells terms apart, for rules that want two different ones. */
  readonly id: number;
}

/** Tens of thousands of these end a phrase: an empty map in each would take ten megabytes. */
export interface Branch {
  next?: Map<string, Branch>;
  terms: readonly Term[];
}

export interface Lexicon {
  /** A trie over tokens: phrases are paths. */
  readonly root: Branch;
  /** Whether a word stands in the vocabulary, by itself or as the first of a phrase. */
  readonly isKnown: (word: string) => boolean;
  /** A word for people or sex, which are written together to hide them ("nudegirl"). */
  readonly isCompoundPart: (word: string) => boolean;
  /** A word that is worth hiding, by itself. */
  readonly isDisguised: (word: string) => boolean;
  /** A German word, which may have been written with ae, oe or ue. */
  readonly isGerman: (word: string) => boolean;
  readonly termsOfPrefix: (word: string) => readonly Term[];
  /** The vocabulary's words that this one is when repeated letters count once. */
  readonly stretched: (word: string) => readonly string[];
  /** The vocabulary's words that fit a spelling with asterisks ("f*ck"). */
  readonly masked: (word: string) => readonly string[];
}

const none: readonly never[] = [];

const compounded: ReadonlySet<Concept> = new Set<Concept>([
  "nudity",
  "sexualAct",
  "genital",
  "suggestive",
  "minor",
  "girlWord",
  "boyWord",
  "person",
]);
/** Words that are worth hiding with asterisks or repeated letters. */
const disguised: ReadonlySet<Concept> = new Set<Concept>([
  ...compounded,
  "profanity",
  "slur",
  "drugs",
  "gore",
  "killing",
  "terrorist",
  "group",
  "selfHarm",
  "forgery",
  "identityDocument",
  "banknote",
  "nudify",
  "undressing",
  "abuseCode",
]);

/** "nud(e|es)" → "nude", "nudes"; groups may hold groups, and empty choices: "(a |)". */
export function expand(pattern: string): string[] {
  const parts = pattern.match(/[^()|]+|[()|]/gu) ?? [];
  let at = 0;

  function choices(): string[] {
    const done: string[] = [];
    let open = [""];
    for (; at < parts.length && parts[at] !== ")"; at += 1) {
      const part = parts[at] ?? "";
      if (part === "|") {
        done.push(...open);
        open = [""];
      } else if (part === "(") {
        at += 1;
        const inner = choices();
        if (parts[at] !== ")") throw new Error(`unclosed group in the vocabulary: ${pattern}`);
        open = open.flatMap((head) => inner.map((tail) => head + tail));
      } else {
        open = open.map((head) => head + part);
      }
    }
    return [...done, ...open];
  }

  const variants = choices();
  if (at < parts.length) throw new Error(`stray bracket in the vocabulary: ${pattern}`);
  return variants;
}

function addTo(index: Map<string, string[]>, key: string, word: string): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, [word]);
  else if (!known.includes(word)) known.push(word);
}

/** One or two neighbouring letters within a word replaced: "n*de", "n**e". */
const maskedWord = /^[^*]+\*{1,2}[^*]+$/u;

/** What a mask shows of a word in any case: "n*de", "n**e" and "nude" have the same outline. */
function outline(word: string): string {
  return `${word[0]}${word.length}${word.at(-1)}`;
}

function fitsMask(word: string, mask: string): boolean {
  for (let at = 0; at < mask.length; at += 1) {
    if (mask[at] !== "*" && mask[at] !== word[at]) return false;
  }
  return true;
}

/** Compiles the vocabulary of all languages into one index. Takes a fraction of a second: once a process. */
export function createLexicon(): Lexicon {
  const firstWords = new Map<string, Branch>();
  const root: Branch = { next: firstWords, terms: none };
  const prefixes = new Map<string, Term[]>();
  const prefixLengths = new Set<number>();
  const stretched = new Map<string, string[]>();
  const outlined = new Map<string, string[]>();
  const german = new Set<string>();
  let id = 0;

  function addPhrase(words: readonly string[], term: Term): void {
    let branch = root;
    for (const word of words) {
      branch.next ??= new Map();
      let next = branch.next.get(word);
      if (next === undefined) {
        next = { terms: none };
        branch.next.set(word, next);
      }
      branch = next;
    }
    branch.terms = [...branch.terms, term];
    if (disguised.has(term.concept)) addDisguises(words);
  }

  function addDisguises(words: readonly string[]): void {
    for (const word of words) {
      const squeezed = squeeze(word);
      if (squeezed.length >= 3) addTo(stretched, squeezed, word);
    }
    const [only = ""] = words;
    if (words.length === 1 && only.length >= 4) addTo(outlined, outline(only), only);
  }

  for (const [concept, languages] of Object.entries(vocabulary)) {
    if (!isConcept(concept)) continue;
    for (const [language, list] of Object.entries(languages)) {
      for (const entry of list.split(/[,\n]/u)) {
        const pattern = entry.trim();
        if (pattern === "") continue;
        id += 1;
        const term: Term = { concept, id };
        if (pattern.endsWith("*")) {
          const prefix = pattern.slice(0, -1);
          const terms = prefixes.get(prefix) ?? [];
          terms.push(term);
          prefixes.set(prefix, terms);
          prefixLengths.add(prefix.length);
          continue;
        }
        for (const variant of expand(pattern)) {
          const words = splitWords(variant);
          if (words.length > 0) addPhrase(words, term);
          if (language === "de") for (const word of words) german.add(word);
        }
      }
    }
  }

  const lengths = [...prefixLengths].sort((a, b) => a - b);

  function termsOfPrefix(word: string): readonly Term[] {
    let found: Term[] | undefined;
    for (const length of lengths) {
      if (length > word.length) break;
      const terms = prefixes.get(word.slice(0, length));
      if (terms !== undefined) found = found === undefined ? terms : [...found, ...terms];
    }
    return found ?? none;
  }

  return {
    root,
    isKnown: (word) => firstWords.has(word),
    isCompoundPart: (word) =>
      firstWords.get(word)?.terms.some(({ concept }) => compounded.has(concept)) ?? false,
    isDisguised: (word) =>
      firstWords.get(word)?.terms.some(({ concept }) => disguised.has(concept)) ?? false,
    isGerman: (word) => german.has(word),
    termsOfPrefix,
    stretched: (word) => stretched.get(squeeze(word)) ?? none,
    masked: (word) =>
      maskedWord.test(word)
        ? (outlined.get(outline(word)) ?? none).filter((known) => fitsMask(known, word))
        : none,
  };
}
