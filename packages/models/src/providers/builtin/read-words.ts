import type { Colour } from "./colour.ts";
import { colourAt, coloursAfter } from "./read-colour.ts";
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
import { isGoods, lookUp, vocabulary } from "./vocabulary/index.ts";
import type { Family } from "./vocabulary/index.ts";
import { numberWords, sizeWords } from "./vocabulary/modifiers.ts";
import { isPlural } from "./vocabulary/word-forms.ts";

/** A word of the prompt that means something to the illustrator, with what belongs to it. */
export interface Mention {
  /** `name` for a name that was asked for; its kind is the name's number. */
  readonly family: Family | "name";
  readonly kind: string;
  /** Colours that were said of it, in order. */
  readonly colours: Colour[];
  /** How many, when a number was said. */
  readonly count: number | null;
  readonly plural: boolean;
  /** Factor on its usual size. */
  readonly size: number;
  readonly definite: boolean;
  /** Where in the picture it was said to be. */
  side: Side;
  /** It was said to fly. */
  flying: boolean;
  /** Adjectives and other unknown words right before it. */
  readonly adjectives: readonly string[];
  /** The preposition between the mention before and this one; empty when there is none. */
  readonly relation: string;
  readonly sentence: number;
  /** Position among the words of the text. */
  readonly position: number;
}

const reach = 4;
/** Fruit that a colour has its name from. */
const coloursOfFruit: ReadonlySet<string> = new Set(["orange", "lemon"]);
// Words that leave the noun after them its colours and number.
const asideFamilies: ReadonlySet<string> = new Set(["hairShape", "style", "absent"]);

/** A word that stands for a known name, to be put into a text in its place. */
export function nameToken(index: number): string {
  return `xnamex${index}x`;
}

/** The longest run of words from here that is one noun of the vocabulary. */
function nounAt(
  words: readonly Token[],
  index: number,
  afterDeterminer: boolean,
): { noun: { family: Mention["family"]; kind: string }; length: number; phrase: string } | null {
  const name = /^xnamex(\d+)x$/u.exec(words[index]?.word ?? "");
  if (name !== null)
    return { noun: { family: "name", kind: name[1] ?? "" }, length: 1, phrase: "" };
  for (let length = 4; length >= 1; length -= 1) {
    const run = words.slice(index, index + length);
    if (run.length < length || run.slice(1).some((token) => token.apart)) continue;
    const phrase = run.map((token) => token.word).join("_");
    const noun = lookUp(phrase, afterDeterminer);
    if (noun !== null) return { noun, length, phrase };
  }
  return null;
}

/**
 * The words of a text that can be drawn, in order, with the colours, numbers and sizes that belong
 * to them. Never throws; words that nobody knows only count as adjectives.
 */
export function readMentions(text: string): Mention[] {
  const words = tokensOf(text);
  const mentions: Mention[] = [];
  let colours: Colour[] = [];
  let coloursEnd = 0;
  let count: { value: number; group: boolean; end: number } | null = null;
  let size = 1;
  let definite = false;
  let determined = -9;
  let negated = -9;
  let relation = "";
  let lastRelation = "";
  let adjectives: string[] = [];
  let side: Side = 0;
  let flying = false;
  let sentence = 0;
  const forget = (): void => {
    [colours, count, size, definite, adjectives] = [[], null, 1, false, []];
  };

  for (let index = 0; index < words.length; index += 1) {
    const { word, apart } = words[index]!;
    const last = mentions.at(-1);
    if (words[index]!.sentence !== sentence) {
      sentence = words[index]!.sentence;
      [relation, negated, side, flying] = ["", -9, 0, false];
      forget();
    }
    const previous = words[index - 1]?.word ?? "";
    const next = words[index + 1]?.word ?? "";
    const isGroup = groupWords.has(word) && /^(?:of|von|de|di)$/u.test(next);
    const found = isGroup
      ? null
      : nounAt(
          words,
          index,
          determined === index - 1 || coloursEnd === index || adjectives.length > 0,
        );
    const colour = colourAt(word, next);
    // "orange", "rose" and the like are colours only when a noun follows.
    const isColour =
      colour !== null &&
      (found === null ||
        (found.length <= colour.length &&
          !(
            coloursOfFruit.has(found.noun.kind) &&
            (determined === index - 1 || word.endsWith("s")) &&
            standsAlone(words, index)
          )));
    // "A cherry red car", "a fruit bat": of the next noun, which has the number and the article.
    if (
      found !== null &&
      !isColour &&
      isGoods(found.noun.kind) &&
      namesAnother(words, index + found.length)
    ) {
      index += found.length - 1;
      adjectives.push(word);
      continue;
    }
    const after = coloursAfter.get(word);
    if (after !== undefined && last !== undefined && index - last.position <= 2 && !apart) {
      last.colours.push(after);
    } else if (isColour && copulas.has(previous) && last !== undefined) {
      last.colours.push(colour.colour);
      index += colour.length - 1;
    } else if (isColour) {
      if (index - coloursEnd > reach) colours = [];
      colours.push(colour.colour);
      index += colour.length - 1;
      coloursEnd = index + 1;
      determined = index;
    } else if (found !== null && !(found.noun.family === "hairShape" && sizeOf(word) !== null)) {
      const start = index;
      index += found.length - 1;
      if (asideFamilies.has(found.noun.family)) {
        mentions.push(plainMention(found.noun, index, sentence));
        continue;
      }
      if (start - negated <= 3) {
        mentions.push(plainMention({ family: "absent", kind: found.noun.kind }, index, sentence));
        // "No cars or people", but "no people, a car".
        negated = conjunctions.has(words[index + 1]?.word ?? "") ? index + 1 : -9;
      } else {
        const near = count !== null && start - count.end <= reach ? count.value : null;
        mentions.push({
          ...found.noun,
          colours: start - coloursEnd <= reach ? colours : [],
          count: near,
          plural: found.phrase !== "" && isPlural(found.phrase, (form) => vocabulary.has(form)),
          size,
          definite,
          side,
          flying,
          adjectives,
          relation,
          sentence,
          position: index,
        });
      }
      [lastRelation, relation, side, flying] = [relation, "", 0, false];
      forget();
    } else if (word === "and" && relation === "") {
      relation = lastRelation;
    } else if (isSide(words, index)) {
      const said = sideOf(word);
      const opposite = /^(?:of|von|de)$/u.test(next);
      // "On the left a dog", but "a dog on the left of a cat".
      if (last === undefined || (!opposite && startsClause(words, index))) side = said;
      else {
        last.side = said;
        if (opposite) side = said === -1 ? 1 : -1;
      }
    } else if (flyingWords.has(word)) {
      // "A flying cat", but "a cat flies"; neither "a fly" nor "flies a drone".
      if (determined === index - 1 || index === 0) flying = word !== "fly" && word !== "flies";
      else if (last?.sentence === sentence && saysOf(words, index, last)) last.flying = true;
    } else if (negations.has(word)) {
      negated = index;
    } else if (definiteArticles.has(word)) {
      forget();
      definite = true;
      determined = index;
    } else if (Object.hasOwn(numberWords, word) && (!groupWords.has(word) || isGroup)) {
      if (!negations.has(previous)) negated = -9;
      if (isGroup || count === null || !count.group) {
        count = { value: numberWords[word] ?? 1, group: isGroup, end: index + (isGroup ? 1 : 0) };
      }
      if (!isGroup) [definite, colours] = [false, []];
      determined = index;
    } else if (/^\d{1,3}$/u.test(word)) {
      count = { value: Math.min(12, Math.max(1, Number(word))), group: false, end: index };
      determined = index;
    } else if (prepositions.has(word)) {
      relation = word;
      if (!negations.has(previous)) negated = -9;
      forget();
      if (contractions.has(word)) determined = index;
    } else if (sizeOf(word) !== null) {
      size = sizeOf(word) ?? 1;
      adjectives.push(word);
    } else if (word !== "of" && word !== "and") {
      adjectives = apart ? [word] : [...adjectives.slice(-3), word];
    }
  }
  return mentions;
}

/** Whether it is what was named before that flies: no comma is between them, and it flies nothing else. */
function saysOf(words: readonly Token[], index: number, { family, position }: Mention): boolean {
  const next = words[index + 1]?.word ?? "";
  const flown = Object.hasOwn(numberWords, next) || definiteArticles.has(next);
  const fishing = next.startsWith("fish");
  const apart = words.slice(position + 1, index).some((token) => token.apart);
  const ofBody = family === "wear" || family === "body" || family === "hairShape";
  return !flown && !fishing && !apart && (!ofBody || wayWords.has(next));
}

/** Nouns that nobody draws, with a thing before them: "an ice cream truck", "a sandwich board". */
const afterGoods: ReadonlySet<string> = new Set(
  "board booth box wire pole screen shop store stand stall restaurant truck tree field juice wallpaper background pattern tone tones effect look photo photography bat duck".split(
    " ",
  ),
);

/** Whether the word here goes on with the one before: a noun or colour that it says more about. */
function namesAnother(words: readonly Token[], index: number): boolean {
  const next = words[index];
  if (next === undefined || next.apart || next.sentence !== words[index - 1]?.sentence)
    return false;
  if (afterGoods.has(next.word)) return true;
  if (prepositions.has(next.word) || conjunctions.has(next.word)) return false;
  if (colourAt(next.word, words[index + 1]?.word ?? "") !== null)
    return words[index + 1] !== undefined && !words[index + 1]!.apart;
  const noun = nounAt(words, index, true)?.noun;
  return noun !== undefined && noun.family !== "pose" && noun.family !== "name";
}

/** True for "an orange and a lemon", "three oranges"; not for "an orange cat", "an orange and white cat". */
function standsAlone(words: readonly Token[], index: number): boolean {
  const next = words[index + 1];
  if (next === undefined || next.sentence !== words[index]?.sentence) return true;
  const begins = (word: string): boolean =>
    Object.hasOwn(numberWords, word) || definiteArticles.has(word);
  if (next.apart) return begins(next.word) || conjunctions.has(next.word);
  if (prepositions.has(next.word)) return true;
  if (!conjunctions.has(next.word) && next.word !== "and") return false;
  const at = begins(words[index + 2]?.word ?? "") ? index + 3 : index + 2;
  const noun = words[at + 1];
  return noun === undefined || noun.apart || colourAt(words[at]?.word ?? "", noun.word) === null;
}

/** True for "left" and "right" as places: not in "he left the house" or "in her left hand". */
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

/** True when nothing but small words stands between a word and the start of its clause. */
function startsClause(words: readonly Token[], index: number): boolean {
  return words.slice(Math.max(0, index - 2), index + 1).some(({ apart }) => apart);
}

function sizeOf(word: string): number | null {
  return Object.hasOwn(sizeWords, word) ? (sizeWords[word] ?? null) : null;
}

function plainMention(
  noun: { family: Mention["family"]; kind: string },
  position: number,
  sentence: number,
): Mention {
  return {
    ...noun,
    colours: [],
    count: null,
    plural: false,
    size: 1,
    definite: false,
    side: 0,
    flying: false,
    adjectives: [],
    relation: "",
    sentence,
    position,
  };
}
