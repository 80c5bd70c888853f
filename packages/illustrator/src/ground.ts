import type { Colour } from "./colour.ts";
import type { Random } from "./random.ts";

export type Season = "spring" | "summer" | "autumn" | "winter";

/** Colours of the ground and of plants. */
export interface Ground {
  /** Ground cover, such as grass, from near to far. */
  readonly cover: readonly [near: Colour, middle: Colour, far: Colour];
  readonly foliage: readonly Colour[];
  readonly conifer: Colour;
  readonly mountain: Colour;
  readonly earth: Colour;
  readonly water: readonly [shallow: Colour, deep: Colour];
  readonly flowers: readonly Colour[];
  readonly snowy: boolean;
}

const water = ["#8cc7c9", "#2f7f9c"] as const;

const meadowFlowers: readonly Colour[] = ["#f2d35b", "#e8647a", "#f5f1e3", "#b27ac4", "#f09a4f"];

const grounds: Readonly<Record<Season, readonly Ground[]>> = {
  spring: [
    {
      cover: ["#6fa14d", "#93bd63", "#b6d18b"],
      foliage: ["#7fb257", "#9cc566", "#6aa25a", "#b4cf6d"],
      conifer: "#3f7560",
      mountain: "#7d8fae",
      earth: "#c9a878",
      water,
      flowers: ["#f6c8d3", "#f2d35b", "#ffffff", "#e88fae", "#a9a3e0"],
      snowy: false,
    },
    {
      cover: ["#5f9c5b", "#86b86a", "#aed08f"],
      foliage: ["#73ad63", "#95c174", "#5a9a63", "#a8cb7c"],
      conifer: "#38705c",
      mountain: "#8593b5",
      earth: "#c4a67e",
      water: ["#8fcfca", "#2f8a96"],
      flowers: meadowFlowers,
      snowy: false,
    },
  ],
  summer: [
    {
      cover: ["#55853f", "#86aa52", "#b3c47c"],
      foliage: ["#4f8848", "#6a9c4c", "#86ad55", "#3f7a4a"],
      conifer: "#2f6650",
      mountain: "#7488a8",
      earth: "#c8a26a",
      water,
      flowers: meadowFlowers,
      snowy: false,
    },
    {
      cover: ["#3f7d58", "#6fa56c", "#a5c48a"],
      foliage: ["#3f8058", "#5f9a5c", "#86b06a", "#2f6f55"],
      conifer: "#265c50",
      mountain: "#6f86a6",
      earth: "#bd9d6e",
      water: ["#84c4c9", "#24708f"],
      flowers: meadowFlowers,
      snowy: false,
    },
    {
      cover: ["#7d9440", "#a9b45a", "#c9c784"],
      foliage: ["#6b8a3f", "#8aa04a", "#54803f", "#a3ad58"],
      conifer: "#41663f",
      mountain: "#8c8fa8",
      earth: "#cfa66c",
      water: ["#98cbbf", "#35808a"],
      flowers: ["#f0c24c", "#d9523f", "#fbf3dc", "#e88a4a"],
      snowy: false,
    },
  ],
  autumn: [
    {
      cover: ["#a88343", "#c9a458", "#d9c088"],
      foliage: ["#d07a35", "#c2542f", "#e0a53f", "#a8632f"],
      conifer: "#4f6a4a",
      mountain: "#8a86a0",
      earth: "#b58a58",
      water: ["#9dbfb9", "#3f7585"],
      flowers: ["#e8a23a", "#c8563a", "#f3e6c6"],
      snowy: false,
    },
    {
      cover: ["#8f8a48", "#bba25a", "#d4bb85"],
      foliage: ["#c9653a", "#e0953c", "#b5482f", "#d9b04a"],
      conifer: "#3f6350",
      mountain: "#7f84a0",
      earth: "#ad845a",
      water: ["#94b8b8", "#3a6d80"],
      flowers: ["#e0a03c", "#b54a5a", "#f0e0c0"],
      snowy: false,
    },
  ],
  winter: [
    {
      cover: ["#eef3f6", "#dfe8ef", "#cfdce7"],
      foliage: ["#8fa3a5", "#a9b8ba", "#7b9290", "#b9c6c8"],
      conifer: "#3f6a68",
      mountain: "#8ea3bd",
      earth: "#d9dfe3",
      water: ["#b9d6e0", "#5f93b0"],
      flowers: ["#c8454a", "#ffffff", "#f0f3f5"],
      snowy: true,
    },
    {
      cover: ["#f1f0f4", "#e2e3ee", "#d1d6e6"],
      foliage: ["#98a0ac", "#b3b9c4", "#838d9c", "#c3c8d2"],
      conifer: "#3c6070",
      mountain: "#949fbf",
      earth: "#dcdce2",
      water: ["#bfd2e4", "#6a8fb8"],
      flowers: ["#c8454a", "#ffffff"],
      snowy: true,
    },
  ],
};

/** Returns the colours of the land in a season, one of several at random. */
export function groundFor(season: Season, random: Random): Ground {
  return random.pick(grounds[season]);
}
