import { reversed, rot13 } from "../text/encodings.ts";
import { mayTellAge } from "../text/ages.ts";
import { looksStretched } from "../text/normalise.ts";
import { isEnding } from "./endings.ts";
import { entriesOf, type Lexicon, type WordEntry } from "./lexicon.ts";
import { splitJoinedWords } from "./joined-words.ts";
import { hasFloorWord, segment } from "./segment.ts";

/** The vocabulary's and the rules' facts about one word of a text. */
export interface WordFacts {
  /** The keys of what it means, as it stands or with a deliberate disguise undone. */
  readonly keys: readonly number[];
  /** The keys of what it may mean once it is repaired by guesswork, such as a typing error. */
  readonly guesses: readonly number[];
  /** It was reversed or rotated: then ordinary words of the text may be, too. */
  readonly isTurned: boolean;
  /** The node of its last letter among the words of the vocabulary, or 0. */
  readonly node: number;
  /** It begins with a word worth hiding. */
  readonly hasCoreStem: boolean;
  /** An age may begin with it. */
  readonly mayTellAge: boolean;
  /** It is in the vocabulary as it stands, or only once it is reversed or rotated by 13. */
  readonly isKnown: boolean;
  readonly isKnownReversed: boolean;
  readonly isKnownRotated: boolean;
  /** The words that it consists of, with spaces, when several are written as one. */
  readonly joined: string | undefined;
}

const nothing: WordFacts = {
  keys: [],
  guesses: [],
  isTurned: false,
  node: 0,
  hasCoreStem: false,
  mayTellAge: false,
  isKnown: false,
  isKnownReversed: false,
  isKnownRotated: false,
  joined: undefined,
};

/** The certain meanings of a word, and those that rest on guesswork. */
interface Undone {
  readonly keys: readonly number[];
  readonly guesses: readonly number[];
}

/** The entries of a word once it is turned. */
interface TurnedEntries {
  readonly reversed: readonly WordEntry[];
  readonly rotated: readonly WordEntry[];
}

export interface Undisguise {
  /** Whether a word looks like a disguise of another: for finding ordinary words that do. */
  isDisguise(word: string): boolean;
  /** The keys of a word reversed or rotated, be it an ordinary word as it stands. */
  turnedKeys(word: string): readonly number[];
  /** The keys of what a word means in the vocabulary as it stands. */
  direct(word: string): readonly number[];
  facts(word: string): WordFacts;
  /** {@link facts} of one way to read a word with signs in it; without what only sentences need. */
  spellingFacts(word: string): WordFacts;
  /** The vocabulary's words that fit a spelling with asterisks ("f*ck", "ch##d"). */
  masked(word: string): string[];
}

const none: readonly never[] = [];
const shortest = 4;
/** Longer runs of letters are no words; they are only split into words. */
const longest = 40;
const longestJoined = 200;
const longestAlone = 16;
const longestEnding = 3;
const tripled = /(.)\1\1/u;
const anyScript = /^\p{L}+$/u;

/** How many words, and how many spellings, are remembered from text to text. */
const maxRemembered = 10_000;
/** V8 keeps the whole text in memory for a longer part of it. */
const longestOwn = 12;

/** The number of a word of two or three letters a to z, or -1. */
function shortIndex(word: string): number {
  if (word.length > 3) return -1;
  let index = 0;
  for (let at = 0; at < word.length; at += 1) {
    const letter = word.charCodeAt(at) - 96;
    if (letter < 1 || letter > 26) return -1;
    index = index * 27 + letter;
  }
  return index;
}

/** Undoes disguises of single words; remembers words that it has read. */
export function createUndisguise(lexicon: Lexicon): Undisguise {
  const { words, entriesAt, leadsToCore, isOrdinary } = lexicon;
  const remembered = new Map<string, WordFacts>();
  const rememberedSpellings = new Map<string, WordFacts>();
  /** The facts of single characters, by code unit. */
  const characters: (WordFacts | undefined)[] = Array.from({ length: 0x1_0000 });
  /** The facts of words of two and three Latin letters, which texts of random letters are full of. */
  const shortWords: (WordFacts | undefined)[] = Array.from({ length: 27 ** 3 });
  let sawTurned = false;

  function turnedEntries(word: string): TurnedEntries {
    const backwards = reversed(word);
    const rotated = rot13(word);
    return {
      reversed: backwards === word ? none : wordEntries(backwards, lexicon),
      rotated: rotated === word ? none : wordEntries(rotated, lexicon),
    };
  }

  function coreKeys(turned: TurnedEntries): number[] {
    return keysOf([...turned.reversed, ...turned.rotated].filter(isWorthTurning));
  }

  function read(
    word: string,
    written: readonly WordEntry[],
    turned: TurnedEntries | undefined,
    isSpelling: boolean,
  ): Undone {
    const bare = arabicLetter.test(word) ? withoutParticles(word, lexicon) : noBareWord;
    const direct = [...written, ...bare.withoutArticle, ...bare.withoutOthers];
    const keys = keysOf([...written, ...bare.withoutArticle]);
    const guesses = keysOf(bare.withoutOthers);
    if (direct.some(({ open }) => open === "exact")) return { keys, guesses };
    // A long word that begins like one of ours may be several, written together.
    if (direct.some(({ isCore }) => isCore)) {
      const isJoined = word.length >= longestAlone && word.length <= longestJoined;
      return { keys, guesses: isJoined ? [...guesses, ...joinedKeys(word, lexicon)] : guesses };
    }
    if (word.length < shortest || !anyScript.test(word)) return { keys, guesses };
    const undone = undo(word, turned, isSpelling);
    return { keys: [...keys, ...undone.keys], guesses: [...guesses, ...undone.guesses] };
  }

  /** @param isSpelling the word has a disguise undone already: a typing error in it, too, is unlikely. */
  function undo(word: string, known?: TurnedEntries, isSpelling = false): Undone {
    if (word.length > longestJoined) return nothing;
    if (word.length <= longest) {
      const umlauts = /[aou]e/u.test(word) ? word.replace(/([aou])e/gu, "$1") : word;
      const german = umlauts === word ? none : entriesOf(umlauts, lexicon);
      if (german.some(({ isGerman }) => isGerman)) return { keys: keysOf(german), guesses: none };
      if (looksStretched(word)) {
        const stretched = keysOf(stretchedEntries(word, lexicon));
        const isDeliberate = tripled.test(word);
        if (stretched.length > 0) {
          return isDeliberate
            ? { keys: stretched, guesses: none }
            : { keys: none, guesses: stretched };
        }
      }
      if (!isSpelling) {
        const turned = isOrdinary(word) ? none : coreKeys(known ?? turnedEntries(word));
        if (turned.length > 0) {
          sawTurned = true;
          return { keys: none, guesses: turned };
        }
        const misspelt = misspeltEntries(word, lexicon);
        if (misspelt.length > 0) return { keys: none, guesses: keysOf(misspelt) };
      }
    }
    return word.length >= 7 ? { keys: none, guesses: joinedKeys(word, lexicon) } : nothing;
  }

  function readFacts(word: string, isSpelling: boolean): WordFacts {
    sawTurned = false;
    const written = entriesOf(word, lexicon);
    const isKnown = written.some((entry) => isWholeWord(entry, word));
    const isPlain = isKnown || isSpelling;
    const turned = isPlain || word.length > longest ? undefined : turnedEntries(word);
    const isKnownReversed = turned !== undefined && turned.reversed.length > 0;
    const isKnownRotated = turned !== undefined && turned.rotated.length > 0;
    const joined = isPlain ? undefined : joinedWords(word);
    const { keys, guesses } = read(word, written, turned, isSpelling);
    let node = 0;
    let hasCoreStem = false;
    for (let at = 0; at < word.length; at += 1) {
      node = words.step(node, word.charCodeAt(at));
      if (node === 0) break;
      hasCoreStem ||= leadsToCore(node) && entriesAt(node).some(({ isCore }) => isCore);
    }
    const tellsAge = mayTellAge(word);
    // Most words mean nothing here: sharing their facts saves memory and its latency.
    const isPart = node !== 0 || hasCoreStem || isKnown || isKnownReversed || isKnownRotated;
    const hasMeaning = keys.length > 0 || guesses.length > 0;
    if (!hasMeaning && !isPart && !tellsAge && joined === undefined) return nothing;
    return {
      keys,
      guesses,
      isTurned: sawTurned,
      node,
      hasCoreStem,
      mayTellAge: tellsAge,
      isKnown,
      isKnownReversed,
      isKnownRotated,
      joined,
    };
  }

  function remember(word: string, known: Map<string, WordFacts>, isSpelling: boolean): WordFacts {
    let facts = known.get(word);
    if (facts === undefined) {
      facts = readFacts(word, isSpelling);
      if (word.length <= longest) {
        if (known.size >= maxRemembered) known.clear();
        const own =
          word.length <= longestOwn ? word : Buffer.from(word, "utf16le").toString("utf16le");
        known.set(own, facts);
      }
    }
    return facts;
  }

  function joinedWords(word: string): string | undefined {
    if (word.length > longestJoined || isOrdinary(word) || !anyScript.test(word)) return undefined;
    return splitJoinedWords(word, lexicon)?.join(" ");
  }

  return {
    turnedKeys: (word) => coreKeys(turnedEntries(word)),
    direct: (word) => keysOf(entriesOf(word, lexicon)),
    isDisguise(word) {
      const isKnown = entriesOf(word, lexicon).some(
        ({ isCore, open }) => isCore || open === "exact",
      );
      if (isKnown || word.length < shortest) return false;
      const { keys, guesses } = undo(word);
      return keys.length > 0 || guesses.length > 0;
    },
    facts(word) {
      if (word.length === 1) return (characters[word.charCodeAt(0)] ??= readFacts(word, false));
      const short = shortIndex(word);
      if (short >= 0) return (shortWords[short] ??= readFacts(word, false));
      return remember(word, remembered, false);
    },
    spellingFacts: (word) => remember(word, rememberedSpellings, true),
    masked: (word) => maskedWords(word, lexicon),
  };
}

const arabicLetter = /^[\u0621-\u064A]/u;
/** "And", "for", "with", "like" and the article, in the order in which Arabic writes them on a word. */
const arabicParticles = /^(?=.{4})(?:[وف])?(?:لل|[لبك]?ال|[لبك])?/u;

interface BareWord {
  /** Entries of the rest after an article; an article shows that the rest is a word. */
  readonly withoutArticle: readonly WordEntry[];
  /** Possible entries of the rest after other particles, or as the beginning of a word. */
  readonly withoutOthers: readonly WordEntry[];
}

const noBareWord: BareWord = { withoutArticle: [], withoutOthers: [] };

/** The entries of an Arabic word that has particles written on it. */
function withoutParticles(word: string, lexicon: Lexicon): BareWord {
  const particles = arabicParticles.exec(word)?.[0] ?? "";
  if (particles === "" || word.length - particles.length < shortestArabic) return noBareWord;
  const bare = word.slice(particles.length);
  const entries = entriesOf(bare, lexicon);
  const isSure = ({ stem }: WordEntry): boolean => articles.test(particles) && stem === bare.length;
  return {
    withoutArticle: entries.filter(isSure),
    withoutOthers: entries.filter((entry) => !isSure(entry)),
  };
}

const articles = /(?:ال|لل)$/u;
const shortestArabic = 3;

function keysOf(entries: readonly WordEntry[]): number[] {
  return entries.map(({ key }) => key);
}

/** Whether an entry is a whole word, not a short stem and a long ending. */
function isWholeWord({ open, stem }: WordEntry, word: string): boolean {
  if (stem === word.length) return true;
  return open !== "exact" && stem >= shortest && word.length - stem <= longestEnding;
}

function wordEntries(word: string, lexicon: Lexicon): WordEntry[] {
  return entriesOf(word, lexicon).filter((entry) => isWholeWord(entry, word));
}

/** Whether a word may have been reversed or rotated to hide it. */
function isWorthTurning({ isCore, stem }: WordEntry): boolean {
  return isCore && stem >= shortest;
}

/** Words written as one ("nakedchild", "apictureofaminor"): those worth hiding, or none. */
function joinedKeys(word: string, lexicon: Lexicon): readonly number[] {
  if (!hasFloorWord(word, lexicon)) return none;
  const { parts, skipped } = segment(word, lexicon);
  if (!parts.some(({ isFloor }) => isFloor)) return none;
  const core = parts.filter(({ isCore, from, to }) => isCore && to - from >= 3);
  const covered = core.reduce((sum, { from, to }) => sum + to - from, 0);
  const isWhole = skipped === 0 && parts.length > 1 && covered >= shortest;
  const isMostly = core.length > 1 && covered >= word.length * 0.6;
  if (isWhole) return parts.flatMap(({ keys, from, to }) => (to - from >= 3 ? keys : none));
  return isMostly ? core.flatMap(({ keys }) => keys) : none;
}

/** Words that this one is when repeated letters count once or twice. */
function stretchedEntries(word: string, { words, entriesAt }: Lexicon): WordEntry[] {
  const found: WordEntry[] = [];
  let visits = 0;
  function walk(at: number, node: number): void {
    visits += 1;
    if (visits > 200) return;
    if (at === word.length) {
      found.push(...entriesAt(node).filter(({ isCore, stem }) => isCore || stem >= 4));
      return;
    }
    const next = words.step(node, word.charCodeAt(at));
    if (next !== 0) walk(at + 1, next);
    if (at > 0 && word[at] === word[at - 1]) walk(at + 1, node);
  }
  walk(0, 0);
  return found;
}

/** Shortest words that one edit is undone in. */
const shortestSwapped = 4;
const shortestDropped = 5;
const shortestDoubled = 5;
const shortestReplaced = 6;

/**
 * Words that are one edit away: two neighbours swapped, a letter dropped, added or replaced. The
 * first letter stays, save in swaps and in words of six letters and more.
 */
function misspeltEntries(word: string, lexicon: Lexicon): WordEntry[] {
  const { words, entriesAt, leadsToFloor, floorNodesBySecond } = lexicon;
  const found: WordEntry[] = [];

  /** The rest of the word from a node on, unchanged. */
  function finish(node: number, from: number, length: number, least: number): void {
    let here = node;
    for (let at = from; at < word.length; at += 1) {
      // A stem may end before the word does.
      collect(here, at, length, least);
      here = words.step(here, word.charCodeAt(at));
      if (here === 0 || !leadsToFloor(here)) return;
    }
    collect(here, word.length, length, least);
  }

  function collect(node: number, end: number, length: number, least: number): void {
    if (length < least) return;
    const entries = entriesAt(node);
    if (entries.length === 0) return;
    const rest = word.slice(end);
    for (const entry of entries) {
      const { isFloor, open, language } = entry;
      const isEnd = rest.length < longestEnding && isEnding(rest, language);
      const fits = rest === "" || (open !== "exact" && end >= shortestReplaced - 1 && isEnd);
      if (isFloor && fits) found.push(entry);
    }
  }

  const { length } = word;
  let node = 0;
  for (let at = 0; at < length; at += 1) {
    const code = word.charCodeAt(at);
    const next = at + 1 < length ? word.charCodeAt(at + 1) : 0;
    if (next !== 0 && next !== code) {
      const first = words.step(node, next);
      const swapped = first === 0 ? 0 : words.step(first, code);
      if (swapped !== 0) finish(swapped, at + 2, length, shortestSwapped);
    }
    if (at > 0) {
      for (let child = words.firstChild(node); child < words.firstChild(node + 1); child += 1) {
        if (!leadsToFloor(child)) continue;
        const rest = words.step(child, code);
        if (rest !== 0) finish(rest, at + 1, length + 1, shortestDropped);
        if (words.code(child) !== code) finish(child, at + 1, length, shortestReplaced);
      }
      finish(node, at + 1, length - 1, shortestDoubled);
    } else if (length > shortestDropped) {
      for (const rest of floorNodesBySecond(code)) finish(rest, 1, length + 1, shortestDropped);
    }
    node = words.step(node, code);
    if (node === 0 || !leadsToFloor(node)) return found;
  }
  for (let child = words.firstChild(node); child < words.firstChild(node + 1); child += 1) {
    collect(child, length, length + 1, shortestDropped);
  }
  return found;
}

function isMask(word: string, at: number): boolean {
  return word[at] === "*" || word[at] === "#";
}

function maskedWords(word: string, { words, entriesAt, leadsToCore }: Lexicon): string[] {
  if (word.length < shortest || word.length > longest || isMask(word, 0)) return [];
  let hidden = 0;
  for (let at = 0; at < word.length; at += 1) if (isMask(word, at)) hidden += 1;
  if (hidden === 0 || hidden > word.length / 2) return [];
  const found: string[] = [];
  let visits = 0;
  function walk(at: number, node: number, spelt: string): void {
    visits += 1;
    if (visits > 2_000) return;
    if (at === word.length) {
      if (entriesAt(node).some(({ isCore }) => isCore)) found.push(spelt);
      return;
    }
    if (!isMask(word, at)) {
      const next = words.step(node, word.charCodeAt(at));
      if (next !== 0 && leadsToCore(next)) walk(at + 1, next, spelt + word.charAt(at));
      return;
    }
    for (let child = words.firstChild(node); child < words.firstChild(node + 1); child += 1) {
      if (leadsToCore(child)) walk(at + 1, child, spelt + String.fromCharCode(words.code(child)));
    }
  }
  walk(0, 0, "");
  return found;
}
