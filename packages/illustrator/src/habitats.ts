import { wordSet } from "./vocabulary/word-forms.ts";

/** Things that stand on a table, also in a room. */
export const tableThings = wordSet(
  "cup teapot cake bread apple candle vase fruitbowl orange lemon pear banana grapes strawberry cherry pizza burger icecream donut cheese egg wineglass bottle laptop phone camera gem trophy",
);
/** Other things that are shown on a table in a room rather than in a field. */
export const stillLife: ReadonlySet<string> = new Set([
  ...tableThings,
  ...wordSet("table book clock lamp shoe watch headphones globe key"),
]);
/** Furniture that stands at the wall unless somebody sits on it. */
export const furniture = wordSet("sofa throne");
/** Large things that stand on the floor instead of a table. */
export const largeThings = wordSet(
  "clock lamp piano chair sofa throne umbrella barrel chest crate telescope guitar bench bicycle",
);

/** Default lands of a subject. */
export const habitats: Readonly<Record<string, readonly string[]>> = {
  lighthouse: ["sea", "cliff"],
  ship: ["sea"],
  galleon: ["sea"],
  sailboat: ["sea"],
  boat: ["lake", "mountains"],
  whale: ["sea"],
  dolphin: ["sea"],
  gull: ["sea", "beach"],
  seal: ["icefield", "sea"],
  duck: ["lake", "meadow"],
  swan: ["lake", "hills"],
  bridge: ["river", "hills"],
  viaduct: ["river", "hills"],
  reed: ["lake"],
  flamingo: ["lake"],
  fish: ["underwater"],
  shark: ["underwater"],
  octopus: ["underwater"],
  jellyfish: ["underwater"],
  submarine: ["underwater"],
  crab: ["beach", "sea"],
  starfish: ["beach", "sea"],
  palm: ["beach", "sea"],
  umbrella: ["beach", "sea"],
  camel: ["desert"],
  cactus: ["desert"],
  pyramid: ["desert"],
  penguin: ["icefield", "sea"],
  pirate: ["beach", "sea"],
  polarbear: ["icefield", "sea"],
  bear: ["forest", "mountains"],
  deer: ["forest"],
  fox: ["forest", "hills"],
  wolf: ["forest", "mountains"],
  owl: ["forest"],
  squirrel: ["forest"],
  hedgehog: ["forest"],
  mushroom: ["forest"],
  tent: ["forest", "mountains"],
  campfire: ["forest", "mountains"],
  skyscraper: ["city"],
  bus: ["city"],
  tram: ["city"],
  superhero: ["city"],
  shop: ["village"],
  lamppost: ["village"],
  ufo: ["hills", "meadow"],
  rocket: ["space"],
  astronaut: ["space"],
  cow: ["meadow", "hills"],
  sheep: ["meadow", "hills"],
  horse: ["meadow", "hills"],
  pig: ["meadow"],
  barn: ["meadow", "hills"],
  windmill: ["meadow", "hills"],
  tractor: ["meadow", "hills"],
  wheat: ["meadow", "hills"],
  sunflower: ["meadow", "hills"],
  lavender: ["meadow", "hills"],
  castle: ["hills", "mountains"],
  temple: ["hills", "mountains"],
  lion: ["meadow"],
  elephant: ["meadow"],
  giraffe: ["meadow"],
  zebra: ["meadow"],
  dragon: ["mountains", "hills"],
  dinosaur: ["volcano", "hills"],
  car: ["road", "hills"],
  train: ["hills", "mountains"],
  bicycle: ["road", "meadow"],
  bench: ["park"],
  fountain: ["park"],
};
/** Default lands for a prompt that names no place. */
export const usualLands: readonly (readonly string[])[] = [
  ["hills", "meadow"],
  ["mountains", "lake"],
  ["hills", "road"],
  ["sea", "beach"],
  ["forest", "meadow"],
  ["mountains", "hills", "meadow"],
  ["lake", "hills"],
];
