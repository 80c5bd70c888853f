import type { Colour } from "./colour.ts";
import type { HatKind, HeldKind } from "./look.ts";

/** Hats with their usual colours; null if the other clothes determine it. */
export const hatColours: Readonly<Record<HatKind, Colour | null>> = {
  hat: null,
  tophat: "#2f2d33",
  cap: null,
  beanie: null,
  beret: null,
  pointyhat: "#4b3a78",
  crown: "#e5b93c",
  hood: null,
  helmet: "#aab3bb",
  headscarf: null,
  wreath: "#d9728a",
  bow: null,
  spacehelmet: "#f3f5f6",
  chefhat: "#fdfbf6",
};

/** Held things with their usual colours. */
export const heldColours: Readonly<Record<HeldKind, Colour>> = {
  sword: "#c9d1d8",
  staff: "#7a5636",
  wand: "#4b3a55",
  shield: "#a33b36",
  broom: "#8a6238",
  fishingrod: "#8a6238",
  book: "#9c3f3a",
  lantern: "#e9b44c",
  basket: "#b98a4e",
  umbrella: "#c8443c",
  flower: "#e0687a",
  cup: "#f0ece2",
  partyballoon: "#d9453d",
  icecream: "#f3b8c4",
  apple: "#c8403a",
  phone: "#2f3540",
  guitar: "#b5713a",
};

/** Small accessories with their usual colours. */
export const extraColours = {
  freckles: "#b5713a",
  belt: "#5b3d2b",
  tie: "#a83a32",
  necklace: "#e5b93c",
  backpack: "#8a6238",
  earrings: "#e5b93c",
  eyepatch: "#2b2a2e",
  gloves: "#6b4a33",
  wings: "#dcecf3",
} as const;

/** Clothes with a usual colour. */
export const garmentColours: Readonly<Record<string, Colour>> = {
  armour: "#aeb8c1",
  apron: "#f2ead8",
  overalls: "#4a6f9c",
};
