import { readMentions } from "./read-words.ts";
import { subjects } from "./subjects.ts";

const places = new Set<string>(["land", "water", "town", "room"]);

/**
 * Returns the kind of the first thing in a description that can be drawn; null if no word of it is
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
