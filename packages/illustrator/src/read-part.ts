import { readMentions } from "./read-words.ts";
import { subjects } from "./subjects.ts";

const places = new Set<string>(["land", "water", "town", "room"]);

/**
 * What a description names that can be drawn: someone, a place or a thing; null if no word of it is
 * known.
 */
export function readPart(description: string): "character" | "location" | "thing" | null {
  const mentions = readMentions(description.normalize("NFC").slice(0, 2_000));
  const [first] = mentions.flatMap(({ family, kind }) => {
    if (family === "person" || family === "animal") return ["character" as const];
    if (places.has(family)) return ["location" as const];
    return Object.hasOwn(subjects, kind) ? ["thing" as const] : [];
  });
  return first ?? null;
}
