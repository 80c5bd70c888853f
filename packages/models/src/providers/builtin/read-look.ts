import type { Look } from "./look.ts";
import { createRandom, hashText } from "./random.ts";
import { hatOf, readPerson } from "./read-person.ts";
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
