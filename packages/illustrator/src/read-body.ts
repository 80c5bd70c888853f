import type { Colour } from "./colour.ts";
import type { Face, HairStyle } from "./look.ts";
import type { Random } from "./random.ts";
import type { Mention } from "./mention.ts";

/** Skin tones to choose from at random. */
export const skins: readonly Colour[] = [
  "#f6d7c0",
  "#f0c8a8",
  "#e8b894",
  "#d9a27a",
  "#c68a5f",
  "#a9714c",
  "#8d5b40",
  "#7a4c36",
];
/** Hair colours to choose from at random. */
export const hairColours: readonly Colour[] = [
  "#2c2422",
  "#4a3226",
  "#6b4530",
  "#8f5f3b",
  "#c0853f",
  "#e0b45e",
  "#b5532e",
  "#3a2c3f",
];

/** A random face. */
export function faceOf(random: Random): Face {
  return {
    eyeSpacing: random.between(3.3, 4.1),
    eyeSize: random.between(0.92, 1.14),
    nose: random.pick([0, 1, 2] as const),
    brow: random.between(-0.6, 0.7),
    smile: random.between(0.7, 1.35),
    faceWidth: random.between(0.95, 1.06),
    parting: random.chance(0.5) ? 1 : -1,
  };
}

/** The described hairstyle, or a random one. */
export function hairStyleOf(
  words: ReadonlySet<string>,
  feminine: boolean,
  age: string,
  random: Random,
): HairStyle {
  const guess = feminine
    ? random.pick<HairStyle>(["long", "bob", "braids", "ponytail", "longcurly", "bun"])
    : random.pick<HairStyle>(["short", "short", "curly", "spiky"]);
  if (words.has("bald")) return "bald";
  if (words.has("braid")) return "braids";
  if (words.has("ponytail")) return "ponytail";
  if (words.has("bun")) return "bun";
  if (words.has("curly"))
    return words.has("short") ? "curly" : words.has("long") || feminine ? "longcurly" : "curly";
  if (words.has("spiky")) return "spiky";
  if (words.has("long")) return "long";
  if (words.has("short")) return feminine ? "bob" : "short";
  return age === "old" && feminine ? "bun" : guess;
}

/** Pure black hides all folds and lines, so use one step lighter. */
export function hairLike(colour: Colour): Colour {
  return colour === "#34323a" ? "#3a3640" : colour;
}

/** Returns the hair colour of a word such as "blonde". */
export function namedHair(kinds: ReadonlySet<string>): Colour | undefined {
  if (kinds.has("blond")) return "#e6bd66";
  if (kinds.has("redhead")) return "#c2552b";
  if (kinds.has("brunette")) return "#5f3f2c";
  if (kinds.has("blackhaired")) return "#2c2629";
  if (kinds.has("greyhaired")) return "#b9bbbf";
  return undefined;
}

/** Returns the described skin tone, limited to natural tones. */
export function skinFrom(mention: Mention, fallback: Colour): Colour {
  const words = new Set(mention.adjectives);
  if (words.has("dark") || words.has("black")) return "#7a4c36";
  if (words.has("pale") || words.has("fair") || words.has("light")) return "#f6d9c4";
  if (words.has("tanned") || words.has("bronze")) return "#c98f62";
  const colour = mention.colours[0];
  if (colour === "#34323a") return "#70452f";
  if (colour === "#8a5f41") return "#96603f";
  if (colour === "#f5f2ea") return "#f6d9c4";
  if (colour === "#85884a" || colour === "#cda677") return "#cf9d72";
  return colour ?? fallback;
}
