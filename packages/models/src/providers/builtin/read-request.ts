import { furniture } from "./habitats.ts";
import { isKeyOf } from "./keys.ts";
import { replacePhrase } from "./phrases.ts";
import { createRandom, hashText } from "./random.ts";
import { readFigures } from "./read-figures.ts";
import { readLabels } from "./read-labels.ts";
import type { Described } from "./read-labels.ts";
import { readAppearance } from "./read-look.ts";
import { readPlace } from "./read-place.ts";
import { readPortrait } from "./read-portrait.ts";
import type { Portrait } from "./read-portrait.ts";
import { nameToken, readMentions } from "./read-words.ts";
import type { Mention } from "./read-words.ts";
import type { Scene } from "./scene.ts";
import { styles } from "./styles.ts";
import type { StyleName } from "./styles.ts";
import { fold } from "./vocabulary/index.ts";

/** What of a reference is used: never its pixels. */
export interface ReferenceWords {
  readonly role: "style" | "character" | "location" | "previous-scene";
  readonly name: string | null;
  readonly description: string;
}

/** Longer texts are read up to here; the rest only counts for the seed. */
const readLimit = 6000;

const placeFamilies: ReadonlySet<string> = new Set(["land", "water", "town", "room"]);

/** The way of painting that some words ask for. */
export function styleOf(mentions: readonly Mention[]): StyleName | null {
  const kind = mentions.find(({ family }) => family === "style")?.kind;
  return kind !== undefined && isKeyOf(styles, kind) ? kind : null;
}

/** Characters that the prompt labels, and those of the references that it does not. */
function mergeCharacters(
  labelled: readonly Described[],
  references: readonly ReferenceWords[],
): Described[] {
  const named = new Set(labelled.map(({ name }) => fold(name ?? "")));
  const others = references.filter(
    ({ role, name }) => role === "character" && (name === null || !named.has(fold(name))),
  );
  return [...labelled, ...others];
}

function hasPlace(mentions: readonly Mention[]): boolean {
  return mentions.some(({ family }) => placeFamilies.has(family));
}

/** The same words are the same place, whatever their spacing, case and last full stop. */
function seedOf(text: string): number {
  return hashText(
    `place ${fold(text)
      .replaceAll(/\s+/gu, " ")
      .replace(/[\s.!?]+$/u, "")
      .trim()}`,
  );
}

/**
 * What to draw for a prompt and its references. Pure: the same words and seed give the same scene.
 *
 * A character's description alone decides how they look, a location's description alone how the
 * place looks; the rest of the prompt decides what happens, when and in what weather.
 */
export function readRequest(
  prompt: string,
  references: readonly ReferenceWords[],
  seed: number,
): Scene {
  const labels = readLabels(prompt.slice(0, readLimit));
  const characters = mergeCharacters(labels.characters, references);
  const given = labels.location ?? references.find(({ role }) => role === "location") ?? null;
  let { text } = labels;
  for (const { description } of [...characters, ...(given === null ? [] : [given])]) {
    text = replacePhrase(text, description, " , ");
  }
  const portrait = given === null ? readPortrait(text, characters) : null;
  for (const [index, { name }] of characters.entries()) {
    if (name !== null) text = replacePhrase(text, name, ` ${nameToken(index)} `);
  }
  if (given?.name != null) text = replacePhrase(text, given.name, " there ");

  const mentions = readMentions(text);
  const styleWords = references.filter(({ role }) => role === "style");
  const style = [labels.style ?? "", text, ...styleWords.map(({ description }) => description)]
    .map((words) => styleOf(readMentions(words.slice(0, readLimit))))
    .find((one) => one !== null);
  const ownSeed = hashText(`${seed}/${fold(prompt).replaceAll(/\s+/gu, " ").trim()}`);
  const common = { style: style ?? "storybook", seed: ownSeed } as const;
  if (portrait !== null) return { ...portraitScene(portrait), ...common, placeSeed: ownSeed };

  // The setting of a story is where a scene is that says nothing else.
  const setting = labels.setting === null || hasPlace(mentions) ? null : labels.setting;
  const location = given?.description ?? setting;
  const placeMentions = location === null ? mentions : readMentions(location.slice(0, readLimit));
  const placeSeed = location === null ? hashText(`place ${ownSeed}`) : seedOf(location);
  const looks = characters.map((character) => readAppearance(character));
  const { things, figures } = readFigures(mentions, looks, ownSeed);
  const fixtures =
    location === null
      ? []
      : readFigures(placeMentions, [], placeSeed).things.filter(({ kind }) => !furniture.has(kind));
  const fixed = new Set(fixtures.map(({ kind }) => kind));
  // "The lighthouse" of the scene is the lighthouse of the location.
  const own = things.map((thing, index) =>
    fixed.has(thing.kind) && thing.count === 1 && !figures.some(({ on }) => on === index)
      ? { ...thing, count: 0 }
      : thing,
  );
  const place = readPlace({
    mentions,
    placeMentions,
    located: location !== null,
    fixtures,
    things: [...fixtures, ...things],
    figures,
    style: common.style,
    random: createRandom(placeSeed),
  });
  return {
    ...place,
    ...common,
    things: own,
    fixtures,
    figures,
    portrait: null,
    located: location !== null,
    placeSeed,
  };
}

function portraitScene({ extent, look }: Portrait): Omit<Scene, "style" | "seed" | "placeSeed"> {
  return {
    place: { kind: "outdoors", land: new Set(), town: null },
    time: "day",
    weather: "clear",
    season: "summer",
    sky: new Set(),
    things: [],
    fixtures: [],
    figures: [{ look, pose: "stand", on: null, side: 0, flying: false }],
    empty: false,
    portrait: extent,
    located: false,
  };
}
