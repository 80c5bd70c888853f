import { lightnessOf, mix, oklch, shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import type { Random } from "../random.ts";
import { isKeyOf } from "../keys.ts";
import { colourWords } from "../vocabulary/modifiers.ts";

/** The colours of an ornament. */
export interface Inks {
  readonly ground: Colour;
  /** The darkest, for lines and contrast. */
  readonly deep: Colour;
  /** Three to five matching colours. */
  readonly accents: readonly Colour[];
}

const families: readonly (readonly Colour[])[] = [
  ["#f4ead7", "#1f3a4d", "#d9683c", "#e9b44c", "#3f8a86", "#a83a4a"],
  ["#f6efe3", "#2b2d42", "#ef8a72", "#8fb8a8", "#f2cc8f", "#6d6a9f"],
  ["#12303f", "#081c27", "#e8c36a", "#3f9a98", "#c8604f", "#f2e6cb"],
  ["#f7e9e3", "#4a2c40", "#e0728a", "#f0b36a", "#7fa88f", "#b57fb5"],
  ["#e6ece3", "#23433c", "#5f9a6a", "#d9a441", "#c8553d", "#9cc3b4"],
  ["#1d1b38", "#0f0e22", "#f0a35e", "#d95d7a", "#6fb7c9", "#f6e3c0"],
  ["#eef1f4", "#22355c", "#3f74b5", "#8fc1e3", "#f0b95a", "#d9685a"],
];

/** Colours of subjects that have colours of their own. */
const moods = {
  sunset: "orange coral gold purple navy",
  sunrise: "coral gold pink azure",
  ocean: "navy teal azure mint cream",
  sea: "navy teal azure mint cream",
  autumn: "rust orange gold brown cream",
  spring: "mint pink green yellow cream",
  winter: "navy azure silver white",
  forest: "emerald green olive brown cream",
  desert: "rust tan gold cream",
  night: "navy violet gold",
  rainbow: "red orange yellow green blue",
  christmas: "crimson emerald gold cream",
} as const;

const colourOf: ReadonlyMap<string, Colour> = new Map(
  Object.values(colourWords).flatMap(({ colour, words, after }) =>
    `${words} ${after}`.split(" ").map((word) => [word, colour] as const),
  ),
);

/** The colours that a text names; if none, the colours of the things it names. */
function said(text: string): Colour[] {
  const words = text.split(/[^\p{L}-]+/u).filter((word) => word !== "");
  const colours = (names: readonly string[]): Colour[] =>
    names.flatMap((name) => colourOf.get(name) ?? []);
  const named = colours(words);
  const meant = words.flatMap((word) => (isKeyOf(moods, word) ? moods[word].split(" ") : []));
  return [...new Set(named.length > 0 ? named : colours(meant))].slice(0, 5);
}

/** The colours that a text names, as a harmony; if none, a random harmony. */
export function inksFor(text: string, random: Random): Inks {
  const named = said(text);
  const usual = random.pick(families);
  const dark = random.chance(0.3);
  const hue = random.between(0, 360);
  if (named.length === 0) {
    const [ground = "#f4ead7", deep = "#1f3a4d", ...accents] = usual;
    // Each seed gets its own harmony: the given one, shifted towards one hue.
    const leaning = accents.map((colour) =>
      mix(colour, oklch(lightnessOf(colour), 0.11, hue), 0.22),
    );
    return { ground, deep, accents: leaning };
  }
  const sorted = [...named].sort((one, other) => lightnessOf(other) - lightnessOf(one));
  const lightest = sorted[0]!;
  const darkest = sorted.at(-1)!;
  const light = lightnessOf(lightest) > 0.86 ? lightest : mix(lightest, "#fbf6ea", 0.82);
  const deep = lightnessOf(darkest) < 0.42 ? darkest : shade(darkest, -0.3);
  const middle = named.filter((colour) => colour !== light && colour !== deep);
  const base = middle.length > 0 ? middle : [named[0]!];
  const accents = [...base];
  for (let index = 0; accents.length < 4; index += 1) {
    const from = base[index % base.length]!;
    accents.push(index % 2 === 0 ? shade(from, 0.13) : mix(from, deep, 0.4));
  }
  return dark
    ? { ground: deep, deep: shade(deep, -0.08), accents: [...accents, light] }
    : { ground: light, deep, accents };
}

/** One of the colours in turn. */
export function inkAt(inks: Inks, index: number): Colour {
  return inks.accents[((index % inks.accents.length) + inks.accents.length) % inks.accents.length]!;
}
