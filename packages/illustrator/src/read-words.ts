import type { Colour } from "./colour.ts";
import { plainMention, type Mention } from "./mention.ts";
import { colourAt, coloursAfter } from "./read-colour.ts";
import { namesAnother, nounAt, standsAlone, type FoundNoun } from "./read-noun.ts";
import type { Side } from "./scene.ts";
import { tokensOf } from "./tokens.ts";
import type { Token } from "./tokens.ts";
import {
  conjunctions,
  contractions,
  copulas,
  definiteArticles,
  flyingWords,
  groupWords,
  limbs,
  negations,
  prepositions,
  sideOf,
  wayWords,
} from "./vocabulary/grammar.ts";
import { isGoods, vocabulary } from "./vocabulary/index.ts";
import { numberWords, sizeWords } from "./vocabulary/modifiers.ts";
import { isPlural } from "./vocabulary/word-forms.ts";

/** Colours and numbers apply to a noun that begins at most this many words later. */
const reach = 4;

/** A negation applies to a noun that begins at most this many words later. */
const negationReach = 3;

/** Fruits that are also colour names. */
const coloursOfFruit: ReadonlySet<string> = new Set(["orange", "lemon"]);

/** Words that do not take the colours and number of the following noun. */
const asideFamilies: ReadonlySet<string> = new Set(["hairShape", "style", "absent"]);

/** The modifiers of the next noun, as far as they were read. */
interface Modifiers {
  colours: Colour[];
  count: { readonly value: number; readonly isGroup: boolean; readonly end: number } | null;
  size: number;
  definite: boolean;
  adjectives: readonly string[];
}

/** The state of reading a text from left to right. Positions are indices of words. */
interface Reader {
  readonly words: readonly Token[];
  readonly mentions: Mention[];
  sentence: number;
  modifiers: Modifiers;
  /** Position after the last colour. */
  coloursEnd: number;
  /** Position of the last article, number or colour. */
  determinedAt: number | null;
  /** Position of the negation that applies to the next noun. */
  negatedAt: number | null;
  /** The preposition since the last noun, and the one before that noun. */
  relation: string;
  lastRelation: string;
  /** The described side and flight of the next noun. */
  side: Side;
  flying: boolean;
}

/** A word with what the reader knows about it. */
interface CurrentWord {
  readonly index: number;
  readonly word: string;
  /** A comma or the start of a sentence precedes it. */
  readonly apart: boolean;
  readonly previous: string;
  readonly next: string;
  /** The last mention. */
  readonly last: Mention | undefined;
  /** "Herd" in "a herd of cows". */
  readonly isGroup: boolean;
  readonly noun: FoundNoun | null;
  /** Null unless the word is a colour here. */
  readonly colour: ReturnType<typeof colourAt>;
}

/** Reads words at the current position; returns how many, 0 if the rule does not apply. */
type Rule = (reader: Reader, current: CurrentWord) => number;

const rules: readonly Rule[] = [
  readGoods,
  readColourAfter,
  readColour,
  readNoun,
  readAnd,
  readSide,
  readFlight,
  readNegation,
  readDefiniteArticle,
  readNumber,
  readPreposition,
  readSize,
  readAdjective,
];

/**
 * Returns the drawable words of a text, in order, with their colours, numbers and sizes. Never
 * throws; unknown words count as adjectives only.
 */
export function readMentions(text: string): Mention[] {
  const reader: Reader = {
    words: tokensOf(text),
    mentions: [],
    sentence: 0,
    modifiers: noModifiers(),
    coloursEnd: 0,
    determinedAt: null,
    negatedAt: null,
    relation: "",
    lastRelation: "",
    side: 0,
    flying: false,
  };
  for (let index = 0; index < reader.words.length;) {
    startSentence(reader, index);
    const current = currentWord(reader, index);
    let length = 0;
    for (const rule of rules) {
      length = rule(reader, current);
      if (length > 0) break;
    }
    index += Math.max(1, length);
  }
  return reader.mentions;
}

function noModifiers(): Modifiers {
  return { colours: [], count: null, size: 1, definite: false, adjectives: [] };
}

/** Nothing but the preposition of the last noun applies beyond a sentence. */
function startSentence(reader: Reader, index: number): void {
  const { sentence } = reader.words[index]!;
  if (sentence === reader.sentence) return;
  reader.sentence = sentence;
  reader.relation = "";
  reader.negatedAt = null;
  reader.side = 0;
  reader.flying = false;
  reader.modifiers = noModifiers();
}

function currentWord(reader: Reader, index: number): CurrentWord {
  const { words, mentions, modifiers, coloursEnd } = reader;
  const { word, apart } = words[index]!;
  const next = words[index + 1]?.word ?? "";
  const isGroup = groupWords.has(word) && /^(?:of|von|de|di)$/u.test(next);
  const isDetermined = reader.determinedAt === index - 1;
  const afterDeterminer = isDetermined || coloursEnd === index || modifiers.adjectives.length > 0;
  const noun = isGroup ? null : nounAt(words, index, afterDeterminer);
  const colour = colourAt(word, next);
  // "orange", "rose" and the like are colours only when a noun follows.
  const isFruit =
    noun !== null &&
    coloursOfFruit.has(noun.noun.kind) &&
    (isDetermined || word.endsWith("s")) &&
    standsAlone(words, index);
  const isColour = colour !== null && (noun === null || (noun.length <= colour.length && !isFruit));
  return {
    index,
    word,
    apart,
    previous: words[index - 1]?.word ?? "",
    next,
    last: mentions.at(-1),
    isGroup,
    noun,
    colour: isColour ? colour : null,
  };
}

/**
 * "A cherry red car", "a fruit bat": a thing that is part of the next noun, which takes the number
 * and the article.
 */
function readGoods(
  { words, modifiers }: Reader,
  { index, word, noun, colour }: CurrentWord,
): number {
  if (noun === null || colour !== null || !isGoods(noun.noun.kind)) return 0;
  if (!namesAnother(words, index + noun.length)) return 0;
  modifiers.adjectives = [...modifiers.adjectives, word];
  return noun.length;
}

/** A colour that follows its noun: "a car in red", "a house painted white". */
function readColourAfter(
  _reader: Reader,
  { index, word, apart, previous, last, colour }: CurrentWord,
): number {
  if (last === undefined) return 0;
  const after = coloursAfter.get(word);
  if (after !== undefined && index - last.position <= 2 && !apart) {
    last.colours.push(after);
    return 1;
  }
  if (colour === null || !copulas.has(previous)) return 0;
  last.colours.push(colour.colour);
  return colour.length;
}

function readColour(reader: Reader, { index, colour }: CurrentWord): number {
  if (colour === null) return 0;
  const { modifiers } = reader;
  if (index - reader.coloursEnd > reach) modifiers.colours = [];
  modifiers.colours.push(colour.colour);
  reader.coloursEnd = index + colour.length;
  reader.determinedAt = index + colour.length - 1;
  return colour.length;
}

function readNoun(reader: Reader, { index, word, noun: found }: CurrentWord): number {
  if (found === null || (found.noun.family === "hairShape" && sizeOf(word) !== null)) return 0;
  const { noun, length, phrase } = found;
  const { words, mentions, sentence, modifiers, negatedAt, relation, side, flying } = reader;
  const position = index + length - 1;
  if (asideFamilies.has(noun.family)) {
    mentions.push(plainMention(noun, position, sentence));
    return length;
  }
  if (negatedAt !== null && index - negatedAt <= negationReach) {
    mentions.push(plainMention({ family: "absent", kind: noun.kind }, position, sentence));
    // Negates "no cars or people" completely, but only the first noun of "no people, a car".
    reader.negatedAt = conjunctions.has(words[position + 1]?.word ?? "") ? position + 1 : null;
  } else {
    const { colours, count, size, definite, adjectives } = modifiers;
    mentions.push({
      ...noun,
      colours: index - reader.coloursEnd <= reach ? colours : [],
      count: count !== null && index - count.end <= reach ? count.value : null,
      plural: phrase !== "" && isPlural(phrase, (form) => vocabulary.has(form)),
      size,
      definite,
      side,
      flying,
      adjectives,
      relation,
      sentence,
      position,
    });
  }
  reader.lastRelation = relation;
  reader.relation = "";
  reader.side = 0;
  reader.flying = false;
  reader.modifiers = noModifiers();
  return length;
}

/** "A cat and a dog on a table": the second noun has the relation of the first. */
function readAnd(reader: Reader, { word }: CurrentWord): number {
  if (word !== "and" || reader.relation !== "") return 0;
  reader.relation = reader.lastRelation;
  return 1;
}

/**
 * At the start of a clause, "on the left a dog" applies to the next noun; "a dog on the left of a
 * cat" to the previous one.
 */
function readSide(reader: Reader, { index, word, next, last }: CurrentWord): number {
  if (!isSide(reader.words, index)) return 0;
  const side = sideOf(word);
  const isOpposite = /^(?:of|von|de)$/u.test(next);
  if (last === undefined || (!isOpposite && startsClause(reader.words, index))) {
    reader.side = side;
    return 1;
  }
  last.side = side;
  if (isOpposite) reader.side = side === -1 ? 1 : -1;
  return 1;
}

/**
 * "A flying cat" applies to the next noun, "a cat flies" to the previous one; "a fly" and "flies a
 * drone" to neither.
 */
function readFlight(reader: Reader, { index, word, last }: CurrentWord): number {
  if (!flyingWords.has(word)) return 0;
  if (reader.determinedAt === index - 1 || index === 0) {
    reader.flying = word !== "fly" && word !== "flies";
  } else if (last?.sentence === reader.sentence && isFlightOf(reader.words, index, last)) {
    last.flying = true;
  }
  return 1;
}

function readNegation(reader: Reader, { index, word }: CurrentWord): number {
  if (!negations.has(word)) return 0;
  reader.negatedAt = index;
  return 1;
}

function readDefiniteArticle(reader: Reader, { index, word }: CurrentWord): number {
  if (!definiteArticles.has(word)) return 0;
  reader.modifiers = { ...noModifiers(), definite: true };
  reader.determinedAt = index;
  return 1;
}

/** "Two", "a", "12", and "herd" in "a herd of cows". */
function readNumber(reader: Reader, { index, word, previous, isGroup }: CurrentWord): number {
  const { modifiers } = reader;
  if (/^\d{1,3}$/u.test(word)) {
    const value = Math.min(12, Math.max(1, Number(word)));
    modifiers.count = { value, isGroup: false, end: index };
    reader.determinedAt = index;
    return 1;
  }
  if (!Object.hasOwn(numberWords, word) || (groupWords.has(word) && !isGroup)) return 0;
  if (!negations.has(previous)) reader.negatedAt = null;
  if (isGroup || modifiers.count?.isGroup !== true) {
    modifiers.count = { value: numberWords[word] ?? 1, isGroup, end: index + (isGroup ? 1 : 0) };
  }
  if (!isGroup) {
    modifiers.definite = false;
    modifiers.colours = [];
  }
  reader.determinedAt = index;
  return 1;
}

function readPreposition(reader: Reader, { index, word, previous }: CurrentWord): number {
  if (!prepositions.has(word)) return 0;
  reader.relation = word;
  if (!negations.has(previous)) reader.negatedAt = null;
  reader.modifiers = noModifiers();
  if (contractions.has(word)) reader.determinedAt = index;
  return 1;
}

function readSize({ modifiers }: Reader, { word }: CurrentWord): number {
  const size = sizeOf(word);
  if (size === null) return 0;
  modifiers.size = size;
  modifiers.adjectives = [...modifiers.adjectives, word];
  return 1;
}

function readAdjective({ modifiers }: Reader, { word, apart }: CurrentWord): number {
  if (word === "of" || word === "and") return 1;
  modifiers.adjectives = apart ? [word] : [...modifiers.adjectives.slice(-3), word];
  return 1;
}

/**
 * True if the verb says that the preceding noun flies: no comma precedes it, and it has no object.
 */
function isFlightOf(
  words: readonly Token[],
  index: number,
  { family, position }: Mention,
): boolean {
  const next = words[index + 1]?.word ?? "";
  const flown = Object.hasOwn(numberWords, next) || definiteArticles.has(next);
  const fishing = next.startsWith("fish");
  const apart = words.slice(position + 1, index).some((token) => token.apart);
  const ofBody = family === "wear" || family === "body" || family === "hairShape";
  return !flown && !fishing && !apart && (!ofBody || wayWords.has(next));
}

/** True for "left" and "right" as places, but not in "he left the house" or "in her left hand". */
function isSide(words: readonly Token[], index: number): boolean {
  const { word, apart } = words[index]!;
  const previous = words[index - 1]?.word ?? "";
  const next = words[index + 1]?.word ?? "";
  return (
    sideOf(word) !== 0 &&
    !limbs.has(next) &&
    (apart || definiteArticles.has(previous) || prepositions.has(previous))
  );
}

/** True if only function words stand between a word and the start of its clause. */
function startsClause(words: readonly Token[], index: number): boolean {
  return words.slice(Math.max(0, index - 2), index + 1).some(({ apart }) => apart);
}

function sizeOf(word: string): number | null {
  return Object.hasOwn(sizeWords, word) ? (sizeWords[word] ?? null) : null;
}
