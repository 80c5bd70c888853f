import { readFigures } from "./read-figures.ts";
import { readLook } from "./read-look.ts";
import type { Look } from "./look.ts";
import { readPlace } from "./read-place.ts";
import { nameToken, readMentions } from "./read-words.ts";
import type { Mention } from "./read-words.ts";
import { createRandom, hashText } from "./random.ts";
import type { Scene } from "./scene.ts";
import { isKeyOf } from "./keys.ts";
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

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}

/** The text with every occurrence of a phrase replaced, whatever its case and spacing. */
function replacePhrase(text: string, phrase: string, replacement: string): string {
  const words = phrase.trim().split(/\s+/u).slice(0, 400).map(escapePattern);
  if (words.length === 0 || words[0] === "") return text;
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}])${words.join(String.raw`\s+`)}(?![\p{L}\p{N}])`,
    "giu",
  );
  return text.replaceAll(pattern, replacement);
}

interface Portrait {
  readonly extent: "bust" | "full";
  readonly look: Look;
}

/** A portrait: its person is named right after the word, as in "Character portrait of Mira: a girl …". */
function readPortrait(text: string, characters: readonly ReferenceWords[]): Portrait | null {
  const at = /\bportrait\b/iu.exec(text);
  if (at === null || characters.length > 1) return null;
  const extent = /\b(?:bust|head ?shot|close[- ]?up|half[- ]length)\b/iu.test(text)
    ? "bust"
    : "full";
  const [character] = characters;
  if (character !== undefined) {
    return { extent, look: readLook(readMentions(character.description), character.name) };
  }
  const after = text.slice(at.index + at[0].length);
  const named =
    /^\s*(?:of|for|:|-|–|—|,)?\s*(?:the character\s+)?(?:named\s+)?["“'«]?(\p{Lu}[\p{L}\p{M}'’-]*(?:\s+(?:(?:of|the|de|von|van)\s+)?\p{Lu}[\p{L}\p{M}'’-]*){0,3})/u.exec(
      after,
    );
  const candidate = named?.[1] ?? null;
  const isName = candidate !== null && !/^(?:A|An|The|Full|Plain|Style|This)\b/u.test(candidate);
  const mentions = readMentions(
    isName ? after.slice((named?.index ?? 0) + (named?.[0].length ?? 0)) : text,
  );
  if (!isName && !mentions.some(({ family }) => family === "person" || family === "animal"))
    return null;
  return { extent, look: readLook(mentions, isName ? candidate : null) };
}

/** The way of painting that some words ask for. */
export function styleOf(mentions: readonly Mention[]): StyleName | null {
  const kind = mentions.find(({ family }) => family === "style")?.kind;
  return kind !== undefined && isKeyOf(styles, kind) ? kind : null;
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
  const characters = references.filter(({ role }) => role === "character");
  const location = references.find(({ role }) => role === "location") ?? null;
  let text = prompt.slice(0, readLimit);
  for (const { description } of [...characters, ...(location === null ? [] : [location])]) {
    text = replacePhrase(text, description, " . ");
  }
  const portrait = location === null ? readPortrait(text, characters) : null;
  for (const [index, { name }] of characters.entries()) {
    if (name !== null) text = replacePhrase(text, name, ` ${nameToken(index)} `);
  }
  if (location?.name != null) text = replacePhrase(text, location.name, " there ");

  const mentions = readMentions(text);
  const styleMentions = references
    .filter(({ role }) => role === "style")
    .flatMap(({ description }) => readMentions(description.slice(0, readLimit)));
  const style = styleOf(mentions) ?? styleOf(styleMentions) ?? "storybook";
  const ownSeed = hashText(`${seed}/${fold(prompt).replaceAll(/\s+/gu, " ").trim()}`);
  const placeMentions =
    location === null ? mentions : readMentions(location.description.slice(0, readLimit));
  const placeSeed =
    location === null
      ? hashText(`place ${ownSeed}`)
      : hashText(`place ${fold(location.description).trim()}`);
  const looks = characters.map(({ name, description }) =>
    readLook(readMentions(description.slice(0, readLimit)), name),
  );

  if (portrait !== null) {
    const random = createRandom(ownSeed);
    return {
      place: { kind: "outdoors", land: new Set(), town: null },
      time: "day",
      weather: "clear",
      season: random.pick(["spring", "summer"]),
      sky: new Set(),
      things: [],
      fixtures: [],
      figures: [{ look: portrait.look, pose: "stand", on: null }],
      style,
      portrait: portrait.extent,
      located: false,
      placeSeed,
      seed: ownSeed,
    };
  }
  const { things, figures } = readFigures(mentions, looks, ownSeed);
  const fixtures = location === null ? [] : readFigures(placeMentions, [], placeSeed).things;
  const fixed = new Set(fixtures.map(({ kind }) => kind));
  // "The lighthouse" of the scene is the lighthouse of the location.
  const own = things.map((thing, index) =>
    fixed.has(thing.kind) && thing.count === 1 && !figures.some(({ on }) => on === index)
      ? { ...thing, count: 0 }
      : thing,
  );
  const setting = readPlace({
    mentions,
    placeMentions,
    located: location !== null,
    things: [...fixtures, ...things],
    figures,
    style,
    random: createRandom(placeSeed),
  });
  return {
    ...setting,
    things: own,
    fixtures,
    figures,
    style,
    portrait: null,
    located: location !== null,
    placeSeed,
    seed: ownSeed,
  };
}
