import type { Colour } from "./colour.ts";
import type { Random } from "./random.ts";

export type Time = "dawn" | "day" | "sunset" | "dusk" | "night";

export type Weather = "clear" | "cloudy" | "rain" | "snow" | "fog" | "storm" | "wind";

/** Share of red, green and blue that an object keeps in the light of the scene. */
type Ambient = readonly [red: number, green: number, blue: number];

/** The air of a scene: sky, haze in the distance, light. */
export interface Air {
  /** Sky from the zenith to the horizon. */
  readonly sky: readonly Colour[];
  readonly haze: Colour;
  readonly sun: Colour;
  readonly cloudLight: Colour;
  readonly cloudShade: Colour;
  readonly ambient: Ambient;
  /** Windows and lamps are lit. */
  readonly lit: boolean;
}

const day: Ambient = [1, 1, 1];

const airs: Readonly<Record<Time, readonly Air[]>> = {
  dawn: [
    {
      sky: ["#8aa2d0", "#d9b6cb", "#f9cfae", "#fff0cd"],
      haze: "#ecccc0",
      sun: "#fff0c2",
      cloudLight: "#fff1e3",
      cloudShade: "#e0b3bd",
      ambient: [1, 0.95, 0.93],
      lit: false,
    },
    {
      sky: ["#7fb0cf", "#c4cfd9", "#f8d8bd", "#fdeccb"],
      haze: "#e6d3c5",
      sun: "#fff4cf",
      cloudLight: "#fff5e8",
      cloudShade: "#d8bfc0",
      ambient: [1, 0.97, 0.94],
      lit: false,
    },
    {
      sky: ["#9a8fc9", "#e2a7bd", "#fbbf9d", "#ffe7b8"],
      haze: "#eab9b3",
      sun: "#fff0b8",
      cloudLight: "#ffe8d8",
      cloudShade: "#cf9ab3",
      ambient: [1, 0.93, 0.93],
      lit: false,
    },
  ],
  day: [
    {
      sky: ["#4f9fd3", "#8fc9e3", "#cfe6e2", "#f5eed6"],
      haze: "#cfe2e2",
      sun: "#fff6d2",
      cloudLight: "#fffdf6",
      cloudShade: "#c3d8e2",
      ambient: day,
      lit: false,
    },
    {
      sky: ["#62b4cc", "#a4d7d9", "#dfeeda", "#fdefd0"],
      haze: "#d3e6da",
      sun: "#fff3c4",
      cloudLight: "#fffbf0",
      cloudShade: "#c2dbd8",
      ambient: day,
      lit: false,
    },
    {
      sky: ["#6c9bd9", "#a6c4ec", "#dcdfee", "#fbe6d6"],
      haze: "#d2d9ea",
      sun: "#fff4d8",
      cloudLight: "#fffaf5",
      cloudShade: "#c8cfe6",
      ambient: day,
      lit: false,
    },
    {
      sky: ["#3f8fc0", "#7dbfd8", "#bfe0dc", "#f8e7bf"],
      haze: "#c3dcd9",
      sun: "#fff0ba",
      cloudLight: "#fffdf3",
      cloudShade: "#b6d2dc",
      ambient: day,
      lit: false,
    },
  ],
  sunset: [
    {
      sky: ["#4a4a86", "#b0648a", "#f08a67", "#ffcf7d"],
      haze: "#dd9079",
      sun: "#fff0b0",
      cloudLight: "#ffc9a0",
      cloudShade: "#b3668a",
      ambient: [1, 0.86, 0.82],
      lit: true,
    },
    {
      sky: ["#3d5c93", "#9b85ab", "#f2a17c", "#ffdf9a"],
      haze: "#d9a18f",
      sun: "#fff2bf",
      cloudLight: "#ffd9b5",
      cloudShade: "#b28199",
      ambient: [1, 0.89, 0.85],
      lit: true,
    },
    {
      sky: ["#5d3f7a", "#cf5f79", "#fb9a5f", "#ffdc87"],
      haze: "#e08b70",
      sun: "#fff3b5",
      cloudLight: "#ffbe91",
      cloudShade: "#a4527a",
      ambient: [1, 0.84, 0.82],
      lit: true,
    },
  ],
  dusk: [
    {
      sky: ["#25305f", "#5a5794", "#b97f9e", "#f0b29a"],
      haze: "#8a759f",
      sun: "#ffe2bd",
      cloudLight: "#a384ab",
      cloudShade: "#5a5488",
      ambient: [0.74, 0.72, 0.88],
      lit: true,
    },
    {
      sky: ["#1d3a5c", "#3f6a86", "#88a0a6", "#e8c3a0"],
      haze: "#7f97a3",
      sun: "#ffe8c4",
      cloudLight: "#9fb2b8",
      cloudShade: "#4a6a82",
      ambient: [0.74, 0.78, 0.88],
      lit: true,
    },
  ],
  night: [
    {
      sky: ["#0b1436", "#182a5c", "#2f4d84", "#4f739f"],
      haze: "#2f4a7a",
      sun: "#fdf3d0",
      cloudLight: "#3f5a8f",
      cloudShade: "#223a6b",
      ambient: [0.5, 0.56, 0.8],
      lit: true,
    },
    {
      sky: ["#12103a", "#272363", "#4a3f88", "#7a63a0"],
      haze: "#463f7d",
      sun: "#fff1d6",
      cloudLight: "#5a4f93",
      cloudShade: "#332d6b",
      ambient: [0.54, 0.52, 0.8],
      lit: true,
    },
    {
      sky: ["#071c2e", "#0f3a4d", "#1f5f6b", "#4f8f88"],
      haze: "#1f5360",
      sun: "#fbf6d4",
      cloudLight: "#2f6670",
      cloudShade: "#174550",
      ambient: [0.46, 0.6, 0.72],
      lit: true,
    },
  ],
};

const grey: Readonly<Record<"cloudy" | "rain" | "snow" | "fog" | "storm", Air>> = {
  cloudy: {
    sky: ["#8fa9b8", "#b3c5cc", "#d3dcd9", "#eae8dc"],
    haze: "#cdd8d8",
    sun: "#fbf6e6",
    cloudLight: "#f2f3ee",
    cloudShade: "#a9bac3",
    ambient: [0.95, 0.97, 0.98],
    lit: false,
  },
  rain: {
    sky: ["#5d7485", "#869aa5", "#aab8bb", "#c9cfca"],
    haze: "#a5b4b8",
    sun: "#e8eae4",
    cloudLight: "#9fadb5",
    cloudShade: "#667a89",
    ambient: [0.82, 0.87, 0.92],
    lit: true,
  },
  snow: {
    sky: ["#9fb6c8", "#c0d0db", "#dbe4e8", "#eef0ee"],
    haze: "#d7e1e8",
    sun: "#fbf7ec",
    cloudLight: "#eef3f6",
    cloudShade: "#b3c5d2",
    ambient: [0.94, 0.97, 1],
    lit: true,
  },
  fog: {
    sky: ["#b5c2c8", "#cad3d4", "#dcdfdb", "#e9e8e0"],
    haze: "#d8dcd9",
    sun: "#fffaf0",
    cloudLight: "#e3e7e6",
    cloudShade: "#c0cacd",
    ambient: [0.94, 0.96, 0.96],
    lit: true,
  },
  storm: {
    sky: ["#28343f", "#445361", "#6c7a82", "#a0a79f"],
    haze: "#75838a",
    sun: "#e3e6dc",
    cloudLight: "#66747f",
    cloudShade: "#343f4b",
    ambient: [0.72, 0.77, 0.84],
    lit: true,
  },
};

/** The air for a time of day and weather; which of several follows from chance. */
export function airFor(time: Time, weather: Weather, random: Random): Air {
  const clear = random.pick(airs[time]);
  if (weather === "clear" || weather === "wind") return clear;
  const dull = grey[weather];
  if (time === "day") return dull;
  // At night, the time of day sets the colours; the weather only dims them.
  return {
    ...clear,
    ambient: [
      clear.ambient[0] * halfway(dull.ambient[0]),
      clear.ambient[1] * halfway(dull.ambient[1]),
      clear.ambient[2] * halfway(dull.ambient[2]),
    ],
  };
}

function halfway(share: number): number {
  return share * 0.5 + 0.5;
}
