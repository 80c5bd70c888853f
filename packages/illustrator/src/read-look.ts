import type { Look } from "./look.ts";
import { createRandom, hashText } from "./random.ts";
import { hatOf, readPerson } from "./read-person.ts";
import type { Described } from "./read-labels.ts";
import { readMentions } from "./read-words.ts";
import type { Mention } from "./mention.ts";

const lookFamilies: ReadonlySet<string> = new Set([
  "person",
  "animal",
  "wear",
  "body",
  "hairShape",
]);

/** Normalizes the spelling of a name. */
function nameKey(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/gu, " ");
}

/**
 * Returns the look of a character from the mentions of its description. Details that are not
 * described are derived from the name, so that a change of costume keeps the person; without a
 * name, from the words.
 */
export function readLook(mentions: readonly Mention[], name: string | null): Look {
  const subject = mentions.find(
    (mention) => mention.family === "person" || mention.family === "animal",
  );
  // Only words about appearance count, so that the same words give the same person in another
  // picture.
  const words = mentions
    .filter(({ family }) => lookFamilies.has(family))
    .map(({ kind, colours }) => `${kind}:${colours.join("+")}`)
    .join(" ");
  const key = name === null ? `words ${words}` : `name ${nameKey(name)}`;
  if (subject?.family !== "animal")
    return readPerson(mentions, subject, createRandom(hashText(key)));
  const scarf = mentions.findLast(({ family, kind }) => family === "wear" && kind === "scarf");
  return {
    figure: "animal",
    kind: subject.kind,
    colours: subject.colours,
    size: subject.size,
    scarf: scarf === undefined ? null : (scarf.colours[0] ?? "#c8443c"),
    hat: hatOf(mentions, "#3f74a8", "#3f74a8"),
    seed: hashText(key),
  };
}

const changeMark = /\bnow appearing differently:/iu;
const readLimit = 6000;

/** Clothes that exclude each other: new clothes replace those worn before. */
const outfit: ReadonlySet<string> = new Set(
  "coat dress skirt cape armour shirt sweater robe suit apron vest overalls".split(" "),
);

/**
 * Returns the look of a described character. After "Now appearing differently:" a description may
 * continue with a new appearance, whose clothes and hair replace the earlier ones.
 */
export function readAppearance({ name, description }: Described): Look {
  const text = description.slice(0, readLimit);
  const [base = "", ...changes] = text.split(changeMark);
  const before = readMentions(base);
  const now = readMentions(changes.join(" "));
  const dressed = now.some(({ family, kind }) => family === "wear" && outfit.has(kind));
  const combed = now.some(({ family }) => family === "hairShape");
  const kept = before.filter(
    ({ family, kind }) =>
      !(dressed && family === "wear" && outfit.has(kind)) && !(combed && family === "hairShape"),
  );
  return readLook([...kept, ...now], name);
}
