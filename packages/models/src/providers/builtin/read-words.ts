import type { Colour } from "./colour.ts";
import { fold, lookUp, vocabulary } from "./vocabulary/index.ts";
import type { Family } from "./vocabulary/index.ts";
import { colourWords, numberWords, sizeWords } from "./vocabulary/modifiers.ts";
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
  /** Adjectives and other unknown words right before it. */
  readonly adjectives: readonly string[];
  /** The preposition between the mention before and this one; empty when there is none. */
  readonly relation: string;
  readonly sentence: number;
  /** Position among the words of the text. */
  readonly position: number;
}

interface Token {
  readonly word: string;
  readonly sentence: number;
  /** A comma or the like stands before it. */
  readonly apart: boolean;
}

const coloursBefore = new Map<string, Colour>();
const coloursAfter = new Map<string, Colour>();
for (const { colour, words, after } of Object.values(colourWords)) {
  for (const word of words.split(" ")) coloursBefore.set(word, colour);
  for (const word of after.split(" ")) if (word !== "") coloursAfter.set(word, colour);
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const definiteArticles = set(
  "the this that these those his her its their my your our der die das den dem des le la les el los las il lo gli os as sein seine ihr ihre son sa ses su suo sua seu",
);
const prepositions = set(
  "in inside on upon onto at by near beside under beneath below behind over above through across along between with from into against around toward towards past outside before after next front wearing carrying holding auf im am bei unter hinter vor uber mit neben dans sur pres sous devant derriere avec en sobre con cerca bajo junto nel nella sul sulla vicino sotto com na perto",
);
const negations = set("no without kein keine keinen ohne sans sin senza sem not never");
const copulas = set(
  "is are was were painted coloured colored dyed ist sind est sont es son e sono sao",
);
const groupWords = set(
  "herd flock group pair couple pack bunch row school swarm crowd fleet hundred hundreds dozens lots",
);
const reach = 4;

function tokens(text: string): Token[] {
  const found: Token[] = [];
  let sentence = 0;
  let apart = false;
  for (const [piece] of fold(text).matchAll(
    /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*|[.;!?:\n]+|,|[—–()|]/gu,
  )) {
    if (/^[.;!?:\n]/u.test(piece)) {
      sentence += 1;
      apart = true;
    } else if (/^[,—–()|]/u.test(piece)) {
      apart = true;
    } else if (piece !== "s" && piece !== "l" && piece !== "d") {
      const whole = vocabulary.has(piece) || coloursBefore.has(piece) || coloursAfter.has(piece);
      for (const word of whole ? [piece] : piece.split("-")) {
        found.push({ word, sentence, apart });
        apart = false;
      }
    }
  }
  return found;
}

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

/** A run of words from here that is one colour, such as "dark blue". */
function colourAt(
  words: readonly Token[],
  index: number,
): { colour: Colour; length: number } | null {
  const word = words[index]?.word ?? "";
  const pair = coloursBefore.get(`${word}_${words[index + 1]?.word ?? ""}`);
  if (pair !== undefined) return { colour: pair, length: 2 };
  const single = coloursBefore.get(word) ?? coloursBefore.get(word.replace(/s$/u, ""));
  return single === undefined ? null : { colour: single, length: 1 };
}

/**
 * The words of a text that can be drawn, in order, with the colours, numbers and sizes that belong
 * to them. Never throws; words that nobody knows only count as adjectives.
 */
export function readMentions(text: string): Mention[] {
  const words = tokens(text);
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
  let sentence = 0;
  const forget = (): void => {
    [colours, count, size, definite, adjectives] = [[], null, 1, false, []];
  };

  for (let index = 0; index < words.length; index += 1) {
    const { word, apart } = words[index]!;
    const last = mentions.at(-1);
    if (words[index]!.sentence !== sentence) {
      sentence = words[index]!.sentence;
      relation = "";
      forget();
    }
    const previous = words[index - 1]?.word ?? "";
    const found = nounAt(
      words,
      index,
      determined === index - 1 || coloursEnd === index || adjectives.length > 0,
    );
    const colour = colourAt(words, index);
    // "orange", "rose" and the like are colours only when a noun follows.
    const isColour = colour !== null && (found === null || found.length <= colour.length);
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
      if (found.noun.family === "hairShape" || found.noun.family === "style") {
        mentions.push(plainMention(found.noun, index, sentence));
        continue;
      }
      if (start - negated > 3) {
        const near = count !== null && start - count.end <= reach ? count.value : null;
        mentions.push({
          ...found.noun,
          colours: start - coloursEnd <= reach ? colours : [],
          count: near,
          plural: found.phrase !== "" && isPlural(found.phrase, (form) => vocabulary.has(form)),
          size,
          definite,
          adjectives,
          relation,
          sentence,
          position: index,
        });
      }
      [lastRelation, relation] = [relation, ""];
      forget();
    } else if (word === "and" && relation === "") {
      relation = lastRelation;
    } else if (negations.has(word)) {
      negated = index;
    } else if (definiteArticles.has(word)) {
      forget();
      definite = true;
      determined = index;
    } else if (
      Object.hasOwn(numberWords, word) &&
      (!groupWords.has(word) || words[index + 1]?.word === "of")
    ) {
      const group = groupWords.has(word);
      if (group || count === null || !count.group) {
        count = { value: numberWords[word] ?? 1, group, end: index + (group ? 1 : 0) };
      }
      if (!group) [definite, colours] = [false, []];
      determined = index;
    } else if (/^\d{1,3}$/u.test(word)) {
      count = { value: Math.min(12, Math.max(1, Number(word))), group: false, end: index };
      determined = index;
    } else if (prepositions.has(word)) {
      relation = word === "of" ? relation : word;
      forget();
    } else if (sizeOf(word) !== null) {
      size = sizeOf(word) ?? 1;
      adjectives.push(word);
    } else if (word !== "of" && word !== "and") {
      adjectives = apart ? [word] : [...adjectives.slice(-3), word];
    }
  }
  return mentions;
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
    adjectives: [],
    relation: "",
    sentence,
    position,
  };
}
