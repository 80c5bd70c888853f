import type { Look } from "./look.ts";
import { createRandom, hashText } from "./random.ts";
import { hatOf, readPerson } from "./read-person.ts";
import type { Described } from "./read-labels.ts";
import { readMentions } from "./read-words.ts";
import type { Mention } from "./read-words.ts";

const lookFamilies: ReadonlySet<string> = new Set([
  "person",
  "animal",
  "wear",
  "body",
  "hairShape",
]);

/** A name without what spelling changes. */
function nameKey(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/gu, " ");
}

/**
 * How a character looks, from the mentions of its description. What the words leave open follows
 * from the name, so that a change of costume keeps the person; without a name, from the words.
 */
export function readLook(mentions: readonly Mention[], name: string | null): Look {
  const subject = mentions.find(
    (mention) => mention.family === "person" || mention.family === "animal",
  );
  // Only what is said of the looks counts: the same words in another picture are the same person.
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

/** Clothes that cannot be seen together: what is put on takes the place of what was worn. */
const outfit: ReadonlySet<string> = new Set(
  "coat dress skirt cape armour shirt sweater robe suit apron vest overalls".split(" "),
);

/**
 * How a character looks by its description. A description may go on to how they look now, after
 * "Now appearing differently:": clothes and hair that are said there replace those said before.
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
