import { furniture } from "./habitats.ts";
import { isKeyOf } from "./keys.ts";
import { replacePhrases } from "./phrases.ts";
import { createRandom, hashText } from "./random.ts";
import { readFigures } from "./read-figures.ts";
import { readLabels } from "./read-labels.ts";
import type { Described } from "./read-labels.ts";
import { readAbstract } from "./read-abstract.ts";
import { readAppearance } from "./read-look.ts";
import { readPlace } from "./read-place.ts";
import { readPortrait } from "./read-portrait.ts";
import type { Portrait } from "./read-portrait.ts";
import { nameToken } from "./read-noun.ts";
import { readMentions } from "./read-words.ts";
import type { Mention } from "./mention.ts";
import type { Scene } from "./scene.ts";
import { styles } from "./styles.ts";
import type { StyleName } from "./styles.ts";
import { fold } from "./vocabulary/index.ts";

/** The parts of a reference that are used; never its pixels. */
export interface ReferenceWords {
  readonly role: "style" | "character" | "location" | "previous-scene" | "part";
  readonly name: string | null;
  readonly description: string;
}

/** Maximum length that is read; longer text only affects the seed. */
export const readLimit = 6_000;

const placeFamilies: ReadonlySet<string> = new Set(["land", "water", "town", "room"]);

/** Returns the requested painting style. */
export function styleOf(mentions: readonly Mention[]): StyleName | null {
  const kind = mentions.find(({ family }) => family === "style")?.kind;
  return kind !== undefined && isKeyOf(styles, kind) ? kind : null;
}

/** Merges the labelled characters of the prompt with the other referenced ones. */
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

/** Equal words give the same place, whatever their spacing, case and final full stop. */
function seedOf(text: string): number {
  return hashText(
    `place ${fold(text)
      .replaceAll(/\s+/gu, " ")
      .replace(/(?<![\s.!?])[\s.!?]+$/u, "")
      .trim()}`,
  );
}

/**
 * Converts a prompt and its references into a scene. Pure: the same words and seed give the same
 * scene.
 *
 * A character's description alone determines its appearance, and a location's description alone the
 * look of the place. The rest of the prompt determines action, time and weather.
 */
export function readRequest(
  givenPrompt: string,
  givenReferences: readonly ReferenceWords[],
  seed: number,
): Scene {
  // Normalize, so that names match however they were typed.
  const prompt = givenPrompt.normalize("NFC");
  const references = givenReferences.map((reference) => ({
    ...reference,
    name: reference.name?.normalize("NFC") ?? null,
    description: reference.description.normalize("NFC"),
  }));
  const labels = readLabels(prompt.slice(0, readLimit));
  const characters = mergeCharacters(labels.characters, references);
  const given = labels.location ?? references.find(({ role }) => role === "location") ?? null;
  const described = [...characters, ...(given === null ? [] : [given])];
  const undescribed = replacePhrases(
    labels.text,
    described.map(({ description }) => ({ phrase: description, by: " , " })),
  );
  const portrait = given === null ? readPortrait(undescribed, characters) : null;
  const text = replacePhrases(
    undescribed,
    described.flatMap(({ name }, index) => {
      if (name === null) return [];
      return [
        { phrase: name, by: index < characters.length ? ` ${nameToken(index)} ` : " there " },
      ];
    }),
  );

  const mentions = readMentions(text);
  const styleWords = references.filter(({ role }) => role === "style");
  const style = [labels.style ?? "", text, ...styleWords.map(({ description }) => description)]
    .map((words) => styleOf(readMentions(words.slice(0, readLimit))))
    .find((one) => one !== null);
  const ownSeed = hashText(`${seed}/${fold(prompt).replaceAll(/\s+/gu, " ").trim()}`);
  const common = { style: style ?? "storybook", seed: ownSeed } as const;
  if (portrait !== null) return { ...portraitScene(portrait), ...common, placeSeed: ownSeed };

  // A scene that names no place uses the story's setting.
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
  // "The lighthouse" of the scene refers to the lighthouse of the location.
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
  const namesNothing = location === null && things.length === 0 && figures.length === 0;
  const abstract = namesNothing ? readAbstract(text, mentions) : null;
  return {
    ...place,
    ...(abstract !== null && { place: abstract }),
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
