import { isKeyOf } from "./keys.ts";
import { enter, howMany, isCharacter, personOf } from "./reading.ts";
import type { OpenThing, Person, Reading } from "./reading.ts";
import type { Mention } from "./mention.ts";
import { subjects } from "./subjects.ts";
import { isGoods } from "./vocabulary/index.ts";
import { wordSet } from "./vocabulary/word-forms.ts";
import { hatColours } from "./wardrobe.ts";

const handy = wordSet(
  "book lantern basket umbrella flower cup partyballoon icecream apple phone guitar",
);
const seats = wordSet("bench chair fence sofa throne");
const withWords = wordSet("with holding carrying mit avec con com");
const onWords = wordSet(
  "on in onto upon inside auf im am dans sur en sobre su sul sulla nel nella",
);
const ontoWords = wordSet("on onto upon auf sur sobre sul sulla en");
/** Seats in rooms that are named by their furniture. */
const seatsOfRooms = { sofa: "sofa", throne: "throne" } as const;
const aboveWords = wordSet("over above uber sobre sopra");
/** Things that fly when described as being over something. */
const winged = wordSet("bird dragon owl duck swan");
const skyKinds = wordSet("sky cloudless");
/** Vehicles that people fly in. */
const aircraft = wordSet("plane balloon partyballoon airship rocket ufo");
const crossingWords = wordSet("on over across crossing auf uber sur sobre su sul sulla");
/** One thing, although its word is plural: "a bunch of grapes", "a pair of headphones". */
const collective = wordSet("fruitbowl grapes headphones");
const maxThings = 16;
const maxOfOne = 12;
// Limit on the number of things: more cannot be distinguished and would be slow to draw.
const maxOfAll = 60;

/** Reads a word for a drawable thing: it stands alone, is held, or is sat upon. */
export function readThing(reading: Reading, mention: Mention): void {
  if (mention.family === "animal" && isCharacter(reading, mention)) return;
  const { lastThing } = reading;
  reading.lastThing = mention;
  if (lastThing !== null && (isSame(lastThing, mention) || isInVase(lastThing, mention))) return;
  const one = !mention.plural && (mention.count ?? 1) === 1;
  const holder = reading.clause.find(hasHands);
  if (
    holder !== undefined &&
    holder.held === null &&
    one &&
    handy.has(mention.kind) &&
    (holder.handling ||
      withWords.has(mention.relation) ||
      (mention.kind === "phone" && onWords.has(mention.relation)))
  ) {
    holder.held = mention;
    reading.said = true;
    return;
  }
  if (mention.kind === "kite" || (aircraft.has(mention.kind) && onWords.has(mention.relation)))
    for (const pilot of reading.clause) pilot.flying = false;
  // Held things that cannot be drawn in a hand are skipped instead of being put on the ground.
  if (holder?.handling === true && isGoods(mention.kind)) return;
  const subject = subjects[mention.kind];
  const previous = reading.things.at(-1);
  if (
    previous !== undefined &&
    lastThing?.sentence === mention.sentence &&
    isTrainOnBridge(previous, mention, reading)
  )
    return putOnRails(reading, previous, mention);
  const index = addThing(reading.things, mention);
  if (subject?.seat == null || mention.kind === "table") {
    reading.said = true;
    return;
  }
  const on = onWords.has(mention.relation);
  const isSeat = seats.has(mention.kind);
  const riders = reading.clause.filter(
    ({ pose, on: seat }) => seat === null && (pose === "ride" || (on && (!reading.said || isSeat))),
  );
  for (const rider of riders) {
    rider.on = index;
    if (isSeat) rider.pose = "sit";
    else if (mention.family === "animal") rider.pose = "ride";
  }
  if (riders.length === 0 && on && previous !== undefined)
    seatAnimal(reading, previous, index, mention);
  reading.said = true;
}

/** "A train crossing a viaduct", "a bridge with a red train". */
function isTrainOnBridge({ kind }: OpenThing, mention: Mention, { lastPose }: Reading): boolean {
  const isBridge = (one: string): boolean => one === "bridge" || one === "viaduct";
  if (mention.kind === "train") return isBridge(kind) && withWords.has(mention.relation);
  const crosses =
    lastPose?.kind === "walk" &&
    mention.position - lastPose.position <= 4 &&
    mention.relation === "";
  return (
    kind === "train" && isBridge(mention.kind) && (crosses || crossingWords.has(mention.relation))
  );
}

function putOnRails(reading: Reading, before: OpenThing, mention: Mention): void {
  const [train, bridge] = before.kind === "train" ? [before, mention] : [mention, before];
  const trainColour = train.colours[0] ?? "#3f6f5a";
  before.count = 0;
  const viaduct: Mention = {
    ...mention,
    family: "building",
    kind: "viaduct",
    colours: [...bridge.colours],
    definite: false,
  };
  reading.things[addThing(reading.things, viaduct)]?.parts.set("train", trainColour);
  reading.said = true;
}

/** "On the sofa", "on a throne": furniture with somebody on it moves to the front. */
export function readSeat(reading: Reading, mention: Mention): void {
  const kind = isKeyOf(seatsOfRooms, mention.kind) ? seatsOfRooms[mention.kind] : null;
  const sitter = reading.clause.some((person) => hasHands(person) && person.on === null);
  // "A boy, a cat sleeping on the sofa": the last subject is on the seat, unless it is held.
  const { lastThing } = reading;
  const other =
    lastThing?.sentence === mention.sentence && reading.things.at(-1)?.kind === lastThing.kind;
  if (kind === null || !ontoWords.has(mention.relation) || !sitter || other) return;
  readThing(reading, { ...mention, family: "object", kind, plural: false, count: null });
}

function hasHands({ look, group }: Person): boolean {
  return look === null
    ? group.every(({ family }) => family !== "animal")
    : look.figure !== "animal";
}

/** "A retriever puppy" is one dog, "a cup of coffee" one cup. */
function isSame(before: Mention, mention: Mention): boolean {
  const distance = mention.position - before.position;
  return (
    before.kind === mention.kind &&
    (distance <= 1 || (distance === 2 && mention.count === null && mention.relation === ""))
  );
}

/** "A vase of flowers" is drawn with flowers in it. */
function isInVase(before: Mention, { family, relation, sentence, position }: Mention): boolean {
  return (
    before.kind === "vase" &&
    family === "plant" &&
    before.sentence === sentence &&
    (position - before.position <= 2 || withWords.has(relation))
  );
}

/** "A dragon over a castle", "a balloon in the sky": the preceding thing flies. */
export function readRelation({ things, lastThing }: Reading, mention: Mention): void {
  const flyer = things.at(-1);
  if (flyer === undefined || lastThing?.sentence !== mention.sentence) return;
  const over = aboveWords.has(mention.relation) && winged.has(flyer.kind);
  const inSky = onWords.has(mention.relation) && skyKinds.has(mention.kind);
  if (over || (inSky && flyer.family !== "plant" && flyer.family !== "building"))
    flyer.flying = true;
}

/** "A cat wearing a hat": the preceding animal becomes a character; null if none exists. */
export function readWearer(reading: Reading, mention: Mention): Person | null {
  const animal = reading.things.at(-1);
  const said = reading.lastThing;
  if (
    (mention.kind !== "scarf" && !isKeyOf(hatColours, mention.kind)) ||
    animal?.family !== "animal" ||
    animal.count !== 1 ||
    said?.kind !== animal.kind ||
    said.sentence !== mention.sentence
  )
    return null;
  const person = personOf(null, [said], said);
  animal.count = 0;
  reading.people.push(person);
  enter(reading, person);
  return person;
}

/** "A cat in a boat": moves the preceding animal into the thing. */
function seatAnimal(reading: Reading, animal: OpenThing, index: number, mention: Mention): void {
  if (animal.family !== "animal" || animal.count > 2 || (subjects[animal.kind]?.size ?? 1) > 0.3)
    return;
  const said: Mention = {
    ...mention,
    family: "animal",
    kind: animal.kind,
    colours: [...animal.colours],
    size: animal.size,
  };
  for (let number = 0; number < animal.count; number += 1) {
    reading.people.push({ ...personOf(null, [said], said), on: index });
  }
  animal.count = 0;
}

/**
 * Adds a thing, or adds the new words to an earlier mention of it.
 *
 * @returns its index.
 */
function addThing(things: OpenThing[], mention: Mention): number {
  const before = things.findIndex(({ kind }) => kind === mention.kind);
  const known = things[before];
  if (known !== undefined && (mention.definite || things.length >= maxThings)) {
    if (mention.colours.length > 0) known.colours = mention.colours;
    return before;
  }
  if (things.length >= maxThings) return things.length - 1;
  const left = maxOfAll - things.reduce((sum, { count }) => sum + count, 0);
  const usual = mention.family === "building" ? 3 : 3 + (mention.position % 2);
  const said = collective.has(mention.kind) ? { ...mention, plural: false, count: null } : mention;
  things.push({
    family: mention.family,
    kind: mention.kind,
    count: Math.max(1, Math.min(left, howMany(said, usual, maxOfOne))),
    colours: mention.colours,
    size: mention.size,
    side: mention.side,
    flying: mention.flying,
    parts: new Map(),
  });
  return things.length - 1;
}
