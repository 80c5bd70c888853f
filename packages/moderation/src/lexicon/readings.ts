import { hasTurnedLetters, turnedOver } from "../text/encodings.ts";
import { leetOnes, readCyrillicLeet, readLeet } from "../text/normalise.ts";
import type { Token, TokenisedText } from "../text/tokenise.ts";
import { createUndisguise, type Undisguise, type WordFacts } from "./disguises.ts";
import { furtherViews, type FurtherViews } from "./further-views.ts";
import { entriesOf, type Lexicon } from "./lexicon.ts";
import { segment } from "./segment.ts";

/** One way to read several tokens, or one in disguise: as a word of the vocabulary, up to `end` (exclusive). */
interface Reading {
  readonly keys: readonly number[];
  readonly end: number;
  /** Guesswork, such as a typing error undone; ordinary words may be read so by mistake. */
  readonly isGuess: boolean;
}

interface TextReadings {
  /** The keys of each token as it stands, or with a deliberate disguise of the one word undone. */
  readonly keys: readonly (readonly number[])[];
  /** Other ways to read the tokens from a place on. */
  readonly others: ReadonlyMap<number, readonly Reading[]>;
  /** The tokens that an age may begin with. */
  readonly agePlaces: readonly number[];
  /** Words are reversed, so their order has no meaning. */
  readonly isTurned: boolean;
  /** Sentences with the disguise of several words undone, see {@link furtherViews}. */
  readonly views: FurtherViews;
}

const wordOf = ({ word }: Token): string => word;
const latinOf = ({ word, latin }: Token): string => latin ?? word;

type Others = Map<number, Reading[]>;

function addReading(
  others: Others,
  at: number,
  keys: readonly number[],
  end: number,
  isGuess: boolean,
): void {
  if (keys.length === 0) return;
  const known = others.get(at);
  if (known === undefined) others.set(at, [{ keys, end, isGuess }]);
  else known.push({ keys, end, isGuess });
}

function addGuess(others: Others, at: number, keys: readonly number[], end: number): void {
  addReading(others, at, keys, end, true);
}

const undisguises = new WeakMap<Lexicon, Undisguise>();

function undisguiseOf(lexicon: Lexicon): Undisguise {
  let undisguise = undisguises.get(lexicon);
  if (undisguise === undefined) {
    undisguise = createUndisguise(lexicon);
    undisguises.set(lexicon, undisguise);
  }
  return undisguise;
}

const longestWord = 24;
const separators = /[.\-_~·•+/\\'’`´]/gu;
const leetSigns = /[\p{N}@$€£!|+]/u;
const anyLetter = /\p{L}/u;
const allLetters = /\p{L}/gu;

/** Words of their own that are no halves: "5 min or more", "the top less travelled", "a pen is". */
const wholeWords = new Set(
  "a an the of on in at with and for to her his my is no or por per des less some trees es job jobs e i o u y un una une la le de die der das ein eine il uma than then am are was it as by if so we us he she they me go do up out".split(
    " ",
  ),
);
const maxPieces = 4;

/**
 * Every way to read a text in words of the vocabulary: token by token as it stands, as look-alikes
 * of Latin letters, and with disguises undone.
 */
export function readText(text: TokenisedText, source: string, lexicon: Lexicon): TextReadings {
  const { tokens, groups } = text;
  const undisguise = undisguiseOf(lexicon);
  const hasTurned = hasTurnedLetters(source);
  const keys: (readonly number[])[] = [];
  const others: Others = new Map();
  const written: WordFacts[] = [];
  const alike: WordFacts[] = [];
  let hasLatin = false;
  const agePlaces: number[] = [];
  let isTurned = false;

  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    const { word, latin } = token;
    const asWritten = undisguise.facts(word);
    keys.push(asWritten.keys);
    addGuess(others, at, asWritten.guesses, at + 1);
    isTurned ||= asWritten.isTurned;
    if (asWritten.mayTellAge) agePlaces.push(at);
    written.push(asWritten);
    if (latin === undefined) alike.push(asWritten);
    else {
      const asLatin = undisguise.facts(latin);
      alike.push(asLatin);
      hasLatin = true;
      if (latin.length > 2) {
        const isDisguise = latinLetter.test(word) || !asciiWord.test(latin);
        if (isDisguise) {
          isTurned ||= asLatin.isTurned;
          addReading(others, at, asLatin.keys, at + 1, false);
          addGuess(others, at, asLatin.guesses, at + 1);
        } else addGuess(others, at, undisguise.direct(latin), at + 1);
      }
    }
    if (hasTurned && !token.isSyllable) {
      const upright = undisguise.facts(turnedOver(word));
      addReading(others, at, upright.keys, at + 1, false);
      addGuess(others, at, upright.guesses, at + 1);
    }
  }

  if (isTurned) {
    for (const [at, token] of tokens.entries()) {
      if (token.isSyllable) continue;
      addGuess(others, at, undisguise.turnedKeys(token.latin ?? token.word), at + 1);
    }
  }
  const spellings = new Map<string, readonly WordFacts[]>();
  for (const { text: latin, native, start, end } of groups) {
    for (const group of latin === native ? [latin] : [latin, native]) {
      let known = spellings.get(group);
      if (known === undefined) {
        known = Array.from(spellingsOf(group, undisguise), (word) =>
          undisguise.spellingFacts(word),
        );
        spellings.set(group, known);
      }
      const isGuess = !isDeliberate(group);
      for (const spelling of known) {
        isTurned ||= spelling.isTurned;
        addReading(others, start, spelling.keys, end, isGuess);
        addGuess(others, start, spelling.guesses, end);
      }
    }
  }
  for (const [pieceOf, facts] of hasLatin
    ? ([
        [latinOf, alike],
        [wordOf, written],
      ] as const)
    : ([[wordOf, written]] as const)) {
    addSplitWords(tokens, pieceOf, facts, others, lexicon);
    addSpacedLetters(tokens, pieceOf, others, lexicon);
  }
  const views = furtherViews(tokens, alike, hasTurned);
  return { keys, others, agePlaces, isTurned: isTurned || hasTurned, views };
}

/** Also small capitals and other variants of Latin letters, which no language is written in. */
const latinLetter = /\p{Script=Latin}/u;

/** A word all of whose letters are foreign is rarely a disguise: its look-alike must be a word as it is. */
const asciiWord = /^[a-z]+$/u;

/** Signs that stand for letters, or letters between signs: "n4ked", "n.a.k.e.d", "f*ck". */
const deliberateSigns =
  /\p{L}[\p{N}@$€£!|+*#]\p{L}|(?:^|[^\p{L}])\p{L}[^\p{L}\p{N}\s]\p{L}[^\p{L}\p{N}\s]\p{L}(?:$|[^\p{L}])/u;

const lettersOnly = /^\p{L}+$/u;

/**
 * Whether a run stands for the word that it spells: it hides the word on purpose, or is the word in
 * CamelCase. "Re-action" and "d'ose" are neither.
 */
function isDeliberate(group: string): boolean {
  return lettersOnly.test(group) || deliberateSigns.test(group);
}

/** Returns the words that a run with signs and digits spells, and those that fit its asterisks. */
function spellingsOf(group: string, undisguise: Undisguise): Set<string> {
  const joined = group.replace(separators, "");
  const isWorthIt = joined.length <= 2 * longestWord && anyLetter.test(joined);
  if (!isWorthIt) return new Set();
  const plain = joined.replace(/[*#]/gu, "");
  const words = new Set([plain]);
  if (plain !== joined) for (const word of undisguise.masked(joined)) words.add(word);
  if (leetSigns.test(plain)) {
    const cyrillic = readCyrillicLeet(plain);
    if (cyrillic !== undefined) words.add(cyrillic);
    for (const text of new Set([plain, group.replace(/[.\-_~·•/\\'’`´*#]/gu, "")])) {
      for (const ones of leetOnes(text)) words.add(readLeet(text, ones));
    }
  }
  return words;
}

/** Neighbours that are only together a word worth hiding ("na ked"). */
function addSplitWords(
  tokens: readonly Token[],
  pieceOf: (token: Token) => string,
  facts: readonly WordFacts[],
  others: Others,
  lexicon: Lexicon,
): void {
  const { words, entriesAt, leadsToCore } = lexicon;
  for (let start = 0; start < tokens.length; start += 1) {
    const known = facts[start];
    if (known === undefined) break;
    let { node, hasCoreStem } = known;
    if (!hasCoreStem && (node === 0 || !leadsToCore(node))) continue;
    const first = tokens[start];
    // An unknown word is no part of a longer one.
    if (node === 0 || first === undefined || first.isSyllable || wholeWords.has(first.word))
      continue;
    let word = pieceOf(first);
    const last = Math.min(tokens.length, start + maxPieces);
    for (let at = start + 1; at < last && node !== 0; at += 1) {
      const token = tokens[at];
      if (token === undefined || token.isSyllable) break;
      if (token.clause !== first.clause || token.wideGap) break;
      if (wholeWords.has(token.word)) break;
      const piece = pieceOf(token);
      for (let letter = 0; letter < piece.length; letter += 1) {
        node = words.step(node, piece.charCodeAt(letter));
        if (node === 0) break;
        hasCoreStem ||= leadsToCore(node) && entriesAt(node).some(({ isCore }) => isCore);
      }
      if (!hasCoreStem && (node === 0 || !leadsToCore(node))) break;
      word += piece;
      if (word.length < 5 || word.length > longestWord) continue;
      const core = entriesOf(word, lexicon).filter(({ isCore }) => isCore);
      if (core.length > 0 && !areWords(tokens.slice(start, at + 1).map(pieceOf), word, lexicon)) {
        addGuess(
          others,
          start,
          core.map(({ key }) => key),
          at + 1,
        );
      }
    }
  }
}

/** Whether the pieces of a word are words themselves. */
function areWords(pieces: readonly string[], word: string, lexicon: Lexicon): boolean {
  if (pieces.every(({ length }) => length === 1)) return false;
  if (lexicon.isOrdinary(pieces.join(" "))) return true;
  // A piece that is most of the word is that word itself, beside another.
  if (pieces.some(({ length }) => length > word.length * mostOfWord)) return true;
  return pieces.every((piece) =>
    entriesOf(piece, lexicon).some(({ open, stem }) => open === "exact" && stem === piece.length),
  );
}

const mostOfWord = 0.85;

/** Runs of three or more single characters or emoji ("n u d e", "n.u.d.e"), as [start, end) of tokens. */
function spacedRuns(tokens: readonly Token[]): [number, number][] {
  const runs: [number, number][] = [];
  let start = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    const isSingle =
      token !== undefined && (token.word.length === 1 || token.isEmoji) && !token.isSyllable;
    if (isSingle && !(at > start && token.wideGap)) continue;
    if (at - start >= 3) runs.push([start, at]);
    start = isSingle ? at : at + 1;
  }
  return runs;
}

interface SpelledWord {
  readonly keys: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** The words that single characters spell, digits read as letters. */
function spelledWords(characters: string, lexicon: Lexicon): SpelledWord[] {
  const letters = characters.match(allLetters) ?? [];
  if (letters.length < 2) return [];
  const found: SpelledWord[] = [];
  for (const one of characters.includes("1") ? ["i", "l"] : ["i"]) {
    const word = readLeet(characters, one);
    if (word.length !== characters.length) continue;
    const { parts, skipped } = segment(word, lexicon);
    for (const { keys, from, to, isCore } of parts) {
      const counts = skipped === 0 ? to - from >= 3 : isCore && to - from >= 4;
      if (counts) found.push({ keys, from, to });
    }
  }
  return found;
}

function addSpacedLetters(
  tokens: readonly Token[],
  pieceOf: (token: Token) => string,
  others: Others,
  lexicon: Lexicon,
): void {
  const known = new Map<string, readonly SpelledWord[]>();
  for (const [start, end] of spacedRuns(tokens)) {
    const places: number[] = [];
    let characters = "";
    for (let at = start; at < end; at += 1) {
      const token = tokens[at];
      if (token === undefined || token.isEmoji) continue;
      places.push(at);
      characters += pieceOf(token);
    }
    if (characters.length !== places.length) continue;
    let words = known.get(characters);
    if (words === undefined) {
      words = spelledWords(characters, lexicon);
      known.set(characters, words);
    }
    for (const { keys, from, to } of words) {
      const first = places[from];
      const last = places[to - 1];
      if (first !== undefined && last !== undefined) {
        addReading(others, first, keys, last + 1, false);
      }
    }
  }
}
