import { mix, shade, withChroma, withLightness, lightnessOf } from "./colour.ts";
import type { Colour } from "./colour.ts";

/** Final texture over the whole picture. */
type Finish = "grain" | "paper" | "chalk" | "none";

/** A painting style: the treatment of colours, edges and the sheet. */
export interface Style {
  readonly name: StyleName;
  readonly tone: (colour: Colour) => Colour;
  /** Opacity of opaque areas; below 1, lower layers show through. */
  readonly opacity: number;
  /**
   * Line around each area: its colour is derived from the area's, its width is relative to the
   * drawing's.
   */
  readonly edge: null | {
    readonly colour: (fill: Colour) => Colour;
    readonly width: number;
    readonly opacity: number;
  };
  readonly finish: Finish;
  /** Sun, lamps and glows are toned as well. */
  readonly tonesLight: boolean;
  /** Colour of the sheet; visible as an uneven margin if `margin` is set. */
  readonly sheet: Colour;
  readonly margin: boolean;
}

export type StyleName =
  | "storybook"
  | "flat"
  | "watercolour"
  | "ink"
  | "pastel"
  | "night"
  | "retro"
  | "noir";

const retroInks = [
  "#233142",
  "#1f5f6b",
  "#4f8f86",
  "#a8bf8f",
  "#f3e3c3",
  "#eab162",
  "#d9683c",
  "#a83a32",
];

const channels = (hex: Colour): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));

/** The closest of some colours. */
export function nearest(colour: Colour, inks: readonly Colour[]): Colour {
  const [red = 0, green = 0, blue = 0] = channels(colour);
  let best = inks[0]!;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const ink of inks) {
    const [r = 0, g = 0, b = 0] = channels(ink);
    const distance = (red - r) ** 2 * 2 + (green - g) ** 2 * 3 + (blue - b) ** 2;
    if (distance < bestDistance) [best, bestDistance] = [ink, distance];
  }
  return best;
}

const plain = {
  tonesLight: false,
  opacity: 1,
  edge: null,
  sheet: "#fbf6ea",
  margin: false,
} as const;

/** All styles by name. */
export const styles: Readonly<Record<StyleName, Style>> = {
  storybook: { ...plain, name: "storybook", tone: (colour) => colour, finish: "grain" },
  flat: { ...plain, name: "flat", tone: (colour) => withChroma(colour, 1.12), finish: "none" },
  watercolour: {
    name: "watercolour",
    tonesLight: false,
    tone: (colour) => mix(withChroma(colour, 1.08), "#fdf8ee", 0.17),
    opacity: 0.9,
    edge: { colour: (fill) => shade(fill, -0.14), width: 0.9, opacity: 0.4 },
    finish: "paper",
    sheet: "#fdf9f0",
    margin: true,
  },
  ink: {
    name: "ink",
    tonesLight: false,
    tone: (colour) => mix(withChroma(colour, 0.78), "#f8f1e2", 0.34),
    opacity: 1,
    edge: { colour: () => "#2c2723", width: 1, opacity: 0.92 },
    finish: "paper",
    sheet: "#f8f2e4",
    margin: true,
  },
  pastel: {
    ...plain,
    name: "pastel",
    tone: (colour) => withLightness(withChroma(colour, 0.72), 0.46 + lightnessOf(colour) * 0.5),
    finish: "chalk",
  },
  night: {
    ...plain,
    name: "night",
    tone: (colour) => mix(withChroma(colour, 0.9), "#1a2350", 0.24),
    finish: "grain",
  },
  retro: {
    ...plain,
    name: "retro",
    tone: (colour) => mix(colour, nearest(colour, retroInks), 0.72),
    finish: "chalk",
  },
  noir: {
    ...plain,
    name: "noir",
    tonesLight: true,
    tone: (colour) => withChroma(colour, 0.06),
    finish: "chalk",
  },
};
