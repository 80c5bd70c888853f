import type { Colour } from "./colour.ts";
import type { Age, Garment, HatKind, HeldKind, PersonLook } from "./look.ts";

/** Default clothes of a kind of person. */
interface Costume {
  readonly age?: Age;
  readonly feminine?: boolean;
  readonly top?: PersonLook["top"];
  readonly over?: PersonLook["over"];
  readonly cape?: Colour;
  readonly bottom?: PersonLook["bottom"];
  readonly feet?: PersonLook["feet"];
  readonly hat?: Garment<HatKind>;
  readonly held?: Garment<HeldKind>;
  readonly beard?: boolean;
  readonly skin?: Colour;
  readonly extras?: ReadonlyMap<string, Colour>;
}

const brownBoots = { kind: "boots", colour: "#5b3d2b" } as const;

/** Default clothes by kind of person. */
export const costumes: Readonly<Record<string, Costume>> = {
  girl: { age: "child", feminine: true },
  boy: { age: "child", feminine: false },
  child: { age: "child" },
  woman: { feminine: true },
  man: { feminine: false },
  oldwoman: { age: "old", feminine: true, over: null },
  oldman: { age: "old", feminine: false, beard: true },
  person: {},
  knight: {
    feminine: false,
    top: { kind: "armour", colour: "#aeb8c1" },
    bottom: { kind: "trousers", colour: "#7d8790" },
    feet: { kind: "boots", colour: "#87919a" },
    hat: { kind: "helmet", colour: "#a3aeb7" },
    held: { kind: "sword", colour: "#c9d1d8" },
  },
  king: {
    feminine: false,
    top: { kind: "robe", colour: "#8f2f3c" },
    cape: "#5a2f6b",
    hat: { kind: "crown", colour: "#e5b93c" },
    beard: true,
  },
  queen: {
    feminine: true,
    top: { kind: "dress", colour: "#6b3f86" },
    cape: "#a5343f",
    hat: { kind: "crown", colour: "#e5b93c" },
  },
  princess: {
    age: "child",
    feminine: true,
    top: { kind: "dress", colour: "#dd8ba2" },
    hat: { kind: "crown", colour: "#e5b93c" },
  },
  prince: {
    feminine: false,
    top: { kind: "suit", colour: "#3d5a94" },
    cape: "#a5343f",
    feet: brownBoots,
    hat: { kind: "crown", colour: "#e5b93c" },
  },
  wizard: {
    age: "old",
    feminine: false,
    top: { kind: "robe", colour: "#4b4f9a" },
    hat: { kind: "pointyhat", colour: "#3f3f83" },
    held: { kind: "staff", colour: "#7a5636" },
    beard: true,
  },
  witch: {
    feminine: true,
    top: { kind: "dress", colour: "#4a3a5c" },
    hat: { kind: "pointyhat", colour: "#36304a" },
    held: { kind: "broom", colour: "#8a6238" },
  },
  farmer: {
    over: { kind: "overalls", colour: "#4f7299" },
    top: { kind: "shirt", colour: "#c25a45" },
    feet: brownBoots,
    hat: { kind: "hat", colour: "#e3c27a" },
  },
  fisherman: {
    feminine: false,
    over: { kind: "coat", colour: "#e3b23c" },
    bottom: { kind: "trousers", colour: "#3b4a66" },
    feet: { kind: "boots", colour: "#3f4a3c" },
    hat: { kind: "cap", colour: "#2f3f5f" },
    beard: true,
  },
  pirate: {
    over: { kind: "coat", colour: "#7d2f33" },
    top: { kind: "shirt", colour: "#efe8d8" },
    feet: brownBoots,
    hat: { kind: "headscarf", colour: "#b33a36" },
    extras: new Map([
      ["eyepatch", "#2b2a2e"],
      ["belt", "#4a3426"],
    ]),
  },
  chef: {
    top: { kind: "shirt", colour: "#f3efe6" },
    over: { kind: "apron", colour: "#fbf8f1" },
    hat: { kind: "chefhat", colour: "#fdfbf6" },
  },
  astronaut: {
    top: { kind: "suit", colour: "#eceef0" },
    bottom: { kind: "trousers", colour: "#e1e4e8" },
    feet: { kind: "boots", colour: "#a9b0b8" },
    hat: { kind: "spacehelmet", colour: "#f3f5f6" },
    extras: new Map([
      ["backpack", "#b9c0c7"],
      ["gloves", "#c65a3c"],
    ]),
  },
  fairy: {
    age: "child",
    feminine: true,
    top: { kind: "dress", colour: "#9ac27a" },
    extras: new Map([["wings", "#dcecf3"]]),
    held: { kind: "wand", colour: "#b98ad0" },
  },
  robot: {
    feminine: false,
    top: { kind: "armour", colour: "#9fb2bd" },
    bottom: { kind: "trousers", colour: "#7f929d" },
    feet: { kind: "boots", colour: "#667883" },
  },
  ghost: {},
  santa: {
    age: "old",
    feminine: false,
    top: { kind: "sweater", colour: "#b8322f" },
    over: { kind: "coat", colour: "#c0392f" },
    bottom: { kind: "trousers", colour: "#a82c2a" },
    feet: { kind: "boots", colour: "#35323a" },
    hat: { kind: "beanie", colour: "#c0392f" },
    beard: true,
    extras: new Map([["belt", "#35323a"]]),
  },
  superhero: {
    top: { kind: "suit", colour: "#2f5fa8" },
    bottom: { kind: "trousers", colour: "#2f5fa8" },
    feet: { kind: "boots", colour: "#c8443c" },
    cape: "#c8443c",
    extras: new Map([["belt", "#e5b93c"]]),
  },
  ninja: {
    top: { kind: "suit", colour: "#3a3640" },
    bottom: { kind: "trousers", colour: "#34303a" },
    feet: { kind: "shoes", colour: "#2b2a2e" },
    hat: { kind: "headscarf", colour: "#3a3640" },
    held: { kind: "sword", colour: "#c9d1d8" },
    extras: new Map([["belt", "#8f2f3c"]]),
  },
  vampire: {
    top: { kind: "suit", colour: "#3a3640" },
    bottom: { kind: "trousers", colour: "#34303a" },
    feet: { kind: "shoes", colour: "#2b2a2e" },
    cape: "#7d1f2c",
    skin: "#ece3e6",
  },
  zombie: {
    top: { kind: "shirt", colour: "#7d7a6b" },
    bottom: { kind: "trousers", colour: "#5c5a55" },
    skin: "#9db58a",
  },
};
