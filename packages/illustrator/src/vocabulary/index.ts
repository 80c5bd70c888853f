import * as living from "./living.ts";
import * as made from "./man-made.ts";
import * as modifiers from "./modifiers.ts";
import * as nature from "./nature.ts";
import { isKeyOf } from "../keys.ts";
import { fold, singulars, wordSet } from "./word-forms.ts";

/** Kinds of nouns, which determine the effect of a mention. */
export type Family = keyof typeof families;

const families = {
  time: nature.timeWords,
  weather: nature.weatherWords,
  season: nature.seasonWords,
  land: nature.landWords,
  water: nature.waterWords,
  sky: nature.skyWords,
  plant: nature.plantWords,
  building: made.buildingWords,
  town: made.townWords,
  vehicle: made.vehicleWords,
  room: made.roomWords,
  object: { ...made.objectWords, ...made.foodWords, ...made.goodsWords },
  animal: living.animalWords,
  person: living.personWords,
  wear: living.wearWords,
  body: living.bodyWords,
  style: modifiers.styleWords,
  pose: modifiers.poseWords,
  absent: modifiers.absentWords,
  hairShape: modifiers.hairWords,
  // Nouns that take a colour themselves, so that it does not apply to the next noun.
  part: {
    roof: "roof dach toit tejado tetto telhado",
    sail: "sail segel voile vela_branca",
    door: "door tur porte puerta porta shutter window window_frame",
    sky: "sky himmel ciel cielo ceu",
    other:
      "background light water glow ground wall leaf background_colour flag stripe spot button collar lining sand cheek lip mane tail fur feather petal rug carpet curtain blanket eyebrow pattern cushion tile brick sleeve pocket sandcastle sand_castle sandburg chateau_de_sable castillo_de_arena castello_di_sabbia vine phone_wallpaper mobile_phone_wallpaper phone_background phone_booth phone_box telephone_booth telephone_box telephone_pole telephone_wire hidden_gem",
  },
} as const;

interface Noun {
  readonly family: Family;
  readonly kind: string;
}

/** Every word that is drawn or changes the drawing, by family and kind. */
export const vocabulary: ReadonlyMap<string, Noun> = buildVocabulary();

/** Food and goods, whose words can also precede other nouns: "a cherry red car". */
const goods = new Set([...Object.keys(made.foodWords), ...Object.keys(made.goodsWords)]);

/** True for kinds of food and goods. */
export function isGoods(kind: string): boolean {
  return goods.has(kind);
}

/** Kinds of a family. */
export function kindsOf(family: Family): string[] {
  return Object.keys(families[family]);
}

function buildVocabulary(): Map<string, Noun> {
  const words = new Map<string, Noun>();
  for (const [family, kinds] of Object.entries(families)) {
    if (!isKeyOf(families, family)) continue;
    for (const [kind, list] of Object.entries(kinds)) {
      for (const word of list.split(" ")) {
        if (!words.has(word)) words.set(word, { family, kind });
      }
    }
  }
  return words;
}

// Nouns only after an article, number or colour; otherwise they are other words.
const nounsAfterDeterminer = wordSet(
  "rose well chat ours see tag pain sole mono sign fire tour bow rush fall spring swallow duck bear seal rock dock park train ship port corn home star book bat box present cook crown hood belt staff shield wing bun bob lab bar top egg gem gems diamond diamonds",
);

/**
 * Looks up a word, or a phrase joined by underscores, as a noun of the vocabulary; null if unknown.
 */
export function lookUp(word: string, afterDeterminer: boolean): Noun | null {
  if ((word === "wave" || word === "waves") && !afterDeterminer)
    return { family: "pose", kind: "wave" };
  if (nounsAfterDeterminer.has(word) && !afterDeterminer) return null;
  for (const form of singulars(word)) {
    const noun = vocabulary.get(form);
    if (noun !== undefined) return noun;
  }
  return null;
}

export { fold };
