import * as aircraft from "./draw/aircraft.ts";
import * as birds from "./draw/birds.ts";
import type { DrawSubject } from "./draw/brush.ts";
import { builds } from "./draw/builds.ts";
import * as exotic from "./draw/exotic-animals.ts";
import * as fabulous from "./draw/fabulous.ts";
import * as flowers from "./draw/flowers.ts";
import * as foodAndToys from "./draw/food-and-toys.ts";
import * as flyers from "./draw/flying-birds.ts";
import * as fruit from "./draw/fruit.ts";
import * as goods from "./draw/goods.ts";
import * as houses from "./draw/houses.ts";
import * as insects from "./draw/insects.ts";
import * as meals from "./draw/meals.ts";
import * as objects from "./draw/objects.ts";
import { drawQuadruped } from "./draw/quadruped.ts";
import * as road from "./draw/road-vehicles.ts";
import * as sea from "./draw/sea-animals.ts";
import * as seats from "./draw/seats.ts";
import * as small from "./draw/small-animals.ts";
import * as structures from "./draw/structures.ts";
import * as towers from "./draw/towers.ts";
import * as trees from "./draw/trees.ts";
import * as vessels from "./draw/vessels.ts";
import * as viaduct from "./draw/viaduct.ts";

/** Zone of a subject: middle distance, near, on or in water, in the sky. */
type Zone = "middle" | "near" | "water" | "sky" | "underwater";

/** A drawable subject. */
export interface Subject {
  readonly draw: DrawSubject;
  readonly zone: Zone;
  /** Height in the near ground, as a share of the picture's unit. */
  readonly size: number;
  /** Half its width, at a height of 100. */
  readonly halfWidth: number;
  /** Seat position at a height of 100; null if it has no seat. */
  readonly seat: readonly [x: number, y: number] | null;
  /** May appear in a room. */
  readonly indoors: boolean;
  /** Covers riders: the front of the drawing is drawn over them. */
  readonly encloses: boolean;
}

function subject(
  draw: DrawSubject,
  zone: Zone,
  size: number,
  halfWidth: number,
  more: Partial<Subject> = {},
): Subject {
  return { draw, zone, size, halfWidth, seat: null, indoors: false, encloses: false, ...more };
}

const inside = { indoors: true } as const;

function animal(
  kind: string,
  size: number,
  halfWidth: number,
  more: Partial<Subject> = {},
): Subject {
  const build = builds[kind];
  if (build === undefined) throw new Error(`no build for ${kind}`);
  return subject((brush) => drawQuadruped(brush, build), "near", size, halfWidth, more);
}

/** All drawable subjects by their kind in the vocabulary. */
export const subjects: Readonly<Record<string, Subject>> = {
  tree: subject(trees.drawTree, "middle", 0.42, 36),
  pine: subject(trees.drawPine, "middle", 0.42, 32),
  birch: subject(trees.drawBirch, "middle", 0.42, 22),
  palm: subject(trees.drawPalm, "middle", 0.44, 36),
  willow: subject(trees.drawWillow, "middle", 0.4, 42),
  blossom: subject(trees.drawBlossomTree, "middle", 0.38, 38),
  cypress: subject(trees.drawCypress, "middle", 0.4, 11),
  bush: subject(trees.drawBush, "near", 0.1, 78),
  flower: subject(flowers.drawFlower, "near", 0.12, 34, inside),
  tulip: subject(flowers.drawTulip, "near", 0.12, 32, inside),
  rose: subject(flowers.drawRose, "near", 0.15, 38, inside),
  sunflower: subject(flowers.drawSunflower, "near", 0.24, 26, inside),
  lavender: subject(flowers.drawLavender, "near", 0.11, 48),
  cactus: subject(flowers.drawCactus, "near", 0.26, 38, inside),
  mushroom: subject(flowers.drawMushroom, "near", 0.13, 62, inside),
  wheat: subject(flowers.drawWheat, "near", 0.15, 48),
  reed: subject(flowers.drawReed, "near", 0.16, 42),
  pumpkin: subject(flowers.drawPumpkin, "near", 0.1, 58, inside),
  rock: subject(flowers.drawRock, "near", 0.11, 80, { seat: [0, -86] }),

  house: subject(houses.drawHouse, "middle", 0.34, 50),
  cottage: subject(houses.drawCottage, "middle", 0.24, 68),
  barn: subject(houses.drawBarn, "middle", 0.28, 56),
  shop: subject(houses.drawShop, "middle", 0.34, 46),
  skyscraper: subject(houses.drawSkyscraper, "middle", 0.5, 18),
  castle: subject(towers.drawCastle, "middle", 0.38, 66),
  lighthouse: subject(towers.drawLighthouse, "middle", 0.5, 30),
  tower: subject(towers.drawTower, "middle", 0.46, 20),
  church: subject(towers.drawChurch, "middle", 0.36, 46),
  windmill: subject(towers.drawWindmill, "middle", 0.38, 44),
  temple: subject(towers.drawTemple, "middle", 0.38, 44),
  pyramid: subject(towers.drawPyramid, "middle", 0.3, 100),
  tent: subject(structures.drawTent, "near", 0.18, 88),
  bridge: subject(structures.drawBridge, "middle", 0.16, 164, { seat: [0, -90] }),
  viaduct: subject(viaduct.drawViaduct, "middle", 0.24, 170, { seat: [0, -72] }),
  well: subject(structures.drawWell, "near", 0.2, 38),
  fountain: subject(structures.drawFountain, "near", 0.2, 62),
  statue: subject(structures.drawStatue, "near", 0.26, 26),
  fence: subject(structures.drawFence, "near", 0.14, 170, { seat: [0, -92] }),
  lamppost: subject(structures.drawLamppost, "near", 0.38, 10),
  bench: subject(structures.drawBench, "near", 0.12, 92, { seat: [0, -48], indoors: true }),
  snowman: subject(structures.drawSnowman, "near", 0.24, 42),
  scarecrow: subject(structures.drawScarecrow, "near", 0.26, 46),
  campfire: subject(structures.drawCampfire, "near", 0.11, 48),
  signpost: subject(structures.drawSignpost, "near", 0.2, 46),

  sailboat: subject(vessels.drawSailboat, "water", 0.3, 52, { seat: [-14, -14], encloses: true }),
  boat: subject(vessels.drawBoat, "water", 0.13, 116, { seat: [0, -30], encloses: true }),
  ship: subject(vessels.drawShip, "water", 0.22, 106, { seat: [64, -30], encloses: true }),
  galleon: subject(vessels.drawGalleon, "water", 0.36, 86, { seat: [14, -22], encloses: true }),
  submarine: subject(vessels.drawSubmarine, "underwater", 0.17, 96),
  car: subject(road.drawCar, "near", 0.16, 106, { seat: [-8, -98] }),
  truck: subject(road.drawTruck, "near", 0.18, 126),
  van: subject(road.drawVan, "near", 0.18, 104),
  bus: subject(road.drawBus, "near", 0.25, 88),
  tram: subject(road.drawTram, "near", 0.21, 94),
  train: subject(road.drawTrain, "near", 0.17, 200),
  bicycle: subject(road.drawBicycle, "near", 0.2, 98, { seat: [-34, -88], indoors: true }),
  tractor: subject(road.drawTractor, "near", 0.22, 78, { seat: [-16, -62], encloses: true }),
  cart: subject(road.drawCart, "near", 0.19, 110),
  plane: subject(aircraft.drawPlane, "sky", 0.11, 104),
  balloon: subject(aircraft.drawBalloon, "sky", 0.25, 38),
  airship: subject(aircraft.drawAirship, "sky", 0.14, 112),
  rocket: subject(aircraft.drawRocket, "sky", 0.26, 34),
  ufo: subject(aircraft.drawUfo, "sky", 0.12, 84),
  kite: subject(aircraft.drawKite, "sky", 0.11, 38),

  cat: subject(small.drawCat, "near", 0.17, 42, inside),
  dog: animal("dog", 0.19, 62, inside),
  fox: animal("fox", 0.18, 66, inside),
  raccoon: animal("raccoon", 0.17, 66, inside),
  wolf: animal("wolf", 0.22, 66, inside),
  horse: animal("horse", 0.32, 60, { seat: [-2, -66] }),
  unicorn: animal("unicorn", 0.32, 60, { seat: [-2, -66] }),
  donkey: animal("donkey", 0.27, 56, { seat: [-2, -62] }),
  zebra: animal("zebra", 0.28, 60),
  cow: animal("cow", 0.29, 62),
  sheep: animal("sheep", 0.19, 58, inside),
  goat: animal("goat", 0.22, 50, inside),
  pig: animal("pig", 0.19, 66, inside),
  deer: animal("deer", 0.29, 50),
  rabbit: subject(small.drawRabbit, "near", 0.13, 38, inside),
  bear: animal("bear", 0.29, 68, inside),
  polarbear: animal("polarbear", 0.28, 68),
  panda: subject(exotic.drawPanda, "near", 0.24, 50, inside),
  koala: subject(exotic.drawKoala, "near", 0.2, 50, inside),
  squirrel: subject(small.drawSquirrel, "near", 0.12, 46, inside),
  mouse: subject(small.drawMouse, "near", 0.075, 80, inside),
  hedgehog: subject(small.drawHedgehog, "near", 0.09, 84, inside),
  lion: animal("lion", 0.26, 66, inside),
  tiger: animal("tiger", 0.25, 68, inside),
  leopard: animal("leopard", 0.23, 68, inside),
  panther: animal("panther", 0.23, 68, inside),
  elephant: subject(exotic.drawElephant, "near", 0.36, 78, { seat: [-14, -90] }),
  giraffe: animal("giraffe", 0.46, 40),
  camel: animal("camel", 0.32, 58, { seat: [-2, -76] }),
  monkey: subject(exotic.drawMonkey, "near", 0.18, 44, inside),
  frog: subject(exotic.drawFrog, "near", 0.085, 80, inside),
  turtle: subject(exotic.drawTurtle, "near", 0.09, 120, inside),
  snail: subject(exotic.drawSnail, "near", 0.065, 92, inside),
  snake: subject(exotic.drawSnake, "near", 0.1, 110, inside),
  dragon: subject(fabulous.drawDragon, "near", 0.36, 100, { seat: [-8, -50], indoors: true }),
  dinosaur: subject(fabulous.drawDinosaur, "near", 0.36, 104),
  bird: subject(birds.drawBird, "near", 0.075, 80, inside),
  gull: subject(flyers.drawGull, "sky", 0.065, 90),
  crow: subject(flyers.drawCrow, "sky", 0.06, 90),
  eagle: subject(flyers.drawEagle, "sky", 0.09, 90),
  owl: subject(birds.drawOwl, "near", 0.13, 40, inside),
  duck: subject(birds.drawDuck, "water", 0.085, 84),
  swan: subject(birds.drawSwan, "water", 0.12, 84),
  chicken: subject(birds.drawChicken, "near", 0.12, 70, inside),
  penguin: subject(birds.drawPenguin, "near", 0.18, 42, inside),
  flamingo: subject(birds.drawFlamingo, "near", 0.24, 36),
  bat: subject(flyers.drawBat, "sky", 0.06, 88, inside),
  butterfly: subject(insects.drawButterfly, "sky", 0.05, 66, inside),
  bee: subject(insects.drawBee, "sky", 0.04, 62, inside),
  dragonfly: subject(insects.drawDragonfly, "sky", 0.05, 80),
  fish: subject(sea.drawFish, "underwater", 0.09, 92),
  shark: subject(sea.drawShark, "underwater", 0.15, 104),
  whale: subject(sea.drawWhale, "water", 0.2, 118),
  dolphin: subject(sea.drawDolphin, "water", 0.13, 100),
  octopus: subject(sea.drawOctopus, "underwater", 0.2, 80),
  jellyfish: subject(sea.drawJellyfish, "underwater", 0.15, 44),
  crab: subject(sea.drawCrab, "near", 0.09, 92),
  starfish: subject(sea.drawStarfish, "near", 0.07, 52),
  seal: subject(sea.drawSeal, "near", 0.16, 120),

  table: subject(objects.drawTable, "near", 0.16, 118, { seat: [0, -96], indoors: true }),
  chair: subject(objects.drawChair, "near", 0.21, 34, { seat: [0, -48], indoors: true }),
  sofa: subject(seats.drawSofa, "near", 0.2, 92, { seat: [0, -36], indoors: true }),
  throne: subject(seats.drawThrone, "near", 0.4, 49, { seat: [0, -31], indoors: true }),
  lamp: subject(objects.drawLamp, "near", 0.34, 24, inside),
  lantern: subject(objects.drawLantern, "near", 0.1, 34, inside),
  candle: subject(objects.drawCandle, "near", 0.09, 36, inside),
  book: subject(objects.drawBook, "near", 0.065, 70, inside),
  cup: subject(foodAndToys.drawCup, "near", 0.065, 66, inside),
  teapot: subject(foodAndToys.drawTeapot, "near", 0.08, 82, inside),
  cake: subject(foodAndToys.drawCake, "near", 0.12, 78, inside),
  bread: subject(foodAndToys.drawBread, "near", 0.055, 98, inside),
  apple: subject(foodAndToys.drawApple, "near", 0.05, 56, inside),
  ball: subject(foodAndToys.drawBall, "near", 0.085, 50, inside),
  umbrella: subject(foodAndToys.drawParasol, "near", 0.3, 58, inside),
  chest: subject(foodAndToys.drawChest, "near", 0.14, 70, inside),
  gift: subject(foodAndToys.drawGift, "near", 0.1, 54, inside),
  basket: subject(foodAndToys.drawBasket, "near", 0.1, 68, inside),
  clock: subject(objects.drawClock, "near", 0.4, 24, inside),
  guitar: subject(objects.drawGuitar, "near", 0.24, 24, inside),
  piano: subject(objects.drawPiano, "near", 0.24, 70, inside),
  telescope: subject(objects.drawTelescope, "near", 0.24, 48, inside),
  vase: subject(objects.drawVase, "near", 0.14, 34, inside),
  barrel: subject(objects.drawBarrel, "near", 0.15, 40, inside),
  crate: subject(objects.drawCrate, "near", 0.13, 54, inside),
  toybear: subject(foodAndToys.drawToyBear, "near", 0.11, 44, inside),
  partyballoon: subject(foodAndToys.drawPartyBalloon, "near", 0.3, 44, inside),
  fruitbowl: subject(fruit.drawFruitBowl, "near", 0.11, 88, inside),
  orange: subject(fruit.drawOrange, "near", 0.05, 50, inside),
  lemon: subject(fruit.drawLemon, "near", 0.042, 66, inside),
  pear: subject(fruit.drawPear, "near", 0.06, 46, inside),
  banana: subject(fruit.drawBanana, "near", 0.055, 78, inside),
  grapes: subject(fruit.drawGrapes, "near", 0.065, 54, inside),
  strawberry: subject(fruit.drawStrawberry, "near", 0.04, 46, inside),
  cherry: subject(fruit.drawCherry, "near", 0.04, 56, inside),
  pizza: subject(meals.drawPizza, "near", 0.07, 140, inside),
  burger: subject(meals.drawBurger, "near", 0.08, 70, inside),
  icecream: subject(meals.drawIceCream, "near", 0.1, 34, inside),
  donut: subject(meals.drawDonut, "near", 0.05, 74, inside),
  cheese: subject(meals.drawCheese, "near", 0.055, 82, inside),
  egg: subject(meals.drawEgg, "near", 0.045, 42, inside),
  wineglass: subject(meals.drawWineGlass, "near", 0.11, 32, inside),
  bottle: subject(meals.drawBottle, "near", 0.16, 20, inside),
  shoe: subject(goods.drawShoe, "near", 0.075, 96, inside),
  laptop: subject(goods.drawLaptop, "near", 0.12, 92, inside),
  phone: subject(goods.drawPhone, "near", 0.08, 28, inside),
  camera: subject(goods.drawCamera, "near", 0.08, 82, inside),
  watch: subject(goods.drawWatch, "near", 0.065, 38, inside),
  headphones: subject(goods.drawHeadphones, "near", 0.1, 62, inside),
  gem: subject(goods.drawGem, "near", 0.06, 70, inside),
  globe: subject(goods.drawGlobe, "near", 0.14, 46, inside),
  trophy: subject(goods.drawTrophy, "near", 0.14, 54, inside),
  key: subject(goods.drawKey, "near", 0.045, 92, inside),
  anchor: subject(objects.drawAnchor, "near", 0.13, 44, inside),
};

const spreadWings = subject(flyers.drawCrow, "sky", 0.06, 90);

/**
 * Returns a subject in the air: birds spread their wings, everything else looks as on the ground.
 */
export function inFlight(kind: string): Subject | undefined {
  if (kind === "bird") return spreadWings;
  const usual = subjects[kind];
  if (usual === undefined || usual.zone === "sky") return usual;
  return { ...usual, zone: "sky", size: usual.size * 0.55 };
}
