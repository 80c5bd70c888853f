import type { Look } from "./look.ts";
import { readAppearance, readLook } from "./read-look.ts";
import type { Described } from "./read-labels.ts";
import { readMentions } from "./read-words.ts";

/** A picture of a single person or animal. */
export interface Portrait {
  readonly extent: "bust" | "full";
  readonly look: Look;
}

// The word must appear within this many characters. Later in the text, a portrait is an object, for
// example on a wall.
const within = 48;
const namePattern =
  /^(?:of|for|:|-|–|—|,)?\s*(?:the character\s+)?(?:named\s+)?["“'«]?(\p{Lu}[\p{L}\p{M}'’-]*(?:\s+(?:(?:of|the|de|von|van)\s+)?\p{Lu}[\p{L}\p{M}'’-]*){0,3})/u;

/**
 * Returns the requested portrait, or null. It shows the only character, or else the one named after
 * the word, as in "Character portrait of Mira: a girl …".
 */
export function readPortrait(text: string, characters: readonly Described[]): Portrait | null {
  const at = /\bportrait\b/iu.exec(text.slice(0, within));
  if (at === null || characters.length > 1) return null;
  const bust = /\b(?:bust|head ?shot|close[- ]?up|half[- ]length)\b/iu.test(text);
  const extent = bust ? "bust" : "full";
  const [character] = characters;
  if (character !== undefined) return { extent, look: readAppearance(character) };
  const after = text.slice(at.index + at[0].length).trimStart();
  const named = namePattern.exec(after);
  const name = named?.[1] ?? "A";
  if (named !== null && !/^(?:A|An|The|Full|Plain|Style|This)\b/u.test(name)) {
    return { extent, look: readAppearance({ name, description: after.slice(named[0].length) }) };
  }
  const mentions = readMentions(text);
  const somebody = mentions.some(({ family }) => family === "person" || family === "animal");
  return somebody ? { extent, look: readLook(mentions, null) } : null;
}
