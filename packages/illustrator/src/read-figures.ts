import { isKeyOf } from "./keys.ts";
import type { Look } from "./look.ts";
import { readLook } from "./read-look.ts";
import { readRelation, readSeat, readThing, readWearer } from "./read-things.ts";
import type { Mention } from "./mention.ts";
import { enter, howMany, isCharacter, personOf } from "./reading.ts";
import type { Person, Reading } from "./reading.ts";
import type { Figure, Thing } from "./scene.ts";
import { subjects } from "./subjects.ts";
import { parties } from "./vocabulary/living.ts";
import { poseWords } from "./vocabulary/modifiers.ts";
import { wordSet } from "./vocabulary/word-forms.ts";

const drawnFamilies = wordSet("plant building vehicle object animal");
const wornFamilies = wordSet("wear body hairShape");
/** Shoes that are not worn are the subject of the picture. */
const footwear = wordSet("shoes boots");
const maxUnnamed = 8;

/**
 * Reads the things and people of a text.
 *
 * @param looks the characters of the request. Each is drawn exactly once, named or not; the text
 *   does not change their appearance.
 */
export function readFigures(
  mentions: readonly Mention[],
  looks: readonly Look[],
  seed: number,
): { things: Thing[]; figures: Figure[] } {
  const reading: Reading = {
    looks,
    things: [],
    people: [],
    named: new Map(),
    clause: [],
    said: false,
    lastName: null,
    lastThing: null,
    lastPose: null,
    loose: [],
  };
  for (const mention of mentions) readMention(reading, mention);
  for (const [index, look] of looks.entries()) {
    if (!reading.named.has(index)) reading.people.push(personOf(look, [], null));
  }
  const anybody = reading.people.length > 0 || reading.things.some(isAnimal);
  for (const mention of anybody ? [] : reading.loose)
    if (footwear.has(mention.kind) && mention.relation === "")
      readThing(reading, { ...mention, family: "object", kind: "shoe" });
  const figures = reading.people.map((person, index): [Person, Figure] => [
    person,
    {
      look: lookOf(person, seed, index),
      // A figure stands if its mount is not drawn.
      pose: person.pose === "ride" && person.on === null ? "stand" : person.pose,
      on: person.on,
      side: person.side,
      flying: person.flying && person.on === null,
    },
  ]);
  const characters = figures.filter(([{ look }]) => look !== null);
  const others = figures.filter(([{ look }]) => look === null).slice(0, maxUnnamed);
  return {
    things: reading.things,
    figures: [...characters, ...others].map(([, figure]) => figure),
  };
}

const isAnimal = ({ family }: Thing): boolean => family === "animal";

function readMention(reading: Reading, mention: Mention): void {
  const { clause } = reading;
  readRelation(reading, mention);
  const ofBody = wornFamilies.has(mention.family);
  if (
    !ofBody &&
    clause.length > 0 &&
    clause.every(({ sentence }) => sentence !== mention.sentence)
  ) {
    [reading.clause, reading.said] = [[], false];
  }
  if (mention.family === "name") readName(reading, mention);
  else if (mention.family === "person") readPersonWord(reading, mention);
  else if (ofBody) {
    const owner = reading.clause.at(-1) ?? readWearer(reading, mention);
    // "In a red cape flying over the town": the person flies, not the cape.
    if (owner !== null && mention.flying) owner.flying = true;
    if (owner === null || owner.look !== null) reading.loose.push(mention);
    else owner.group.push(mention);
  } else if (mention.family === "pose") {
    if (isKeyOf(poseWords, mention.kind))
      for (const person of reading.clause) takePose(person, mention.kind);
    reading.said = true;
    reading.lastPose = mention;
  } else if (mention.family === "room") {
    readSeat(reading, mention);
  } else if (drawnFamilies.has(mention.family) && subjects[mention.kind] !== undefined) {
    readThing(reading, mention);
  } else if (mention.family === "part" && mention.kind !== "other") {
    const [colour] = mention.colours;
    if (colour !== undefined) reading.things.at(-1)?.parts.set(mention.kind, colour);
  }
}

/** People who sit or ride keep that pose while they read or eat. */
function takePose(person: Person, pose: keyof typeof poseWords): void {
  person.handling = pose === "hold";
  if (pose !== "hold" || (person.pose !== "sit" && person.on === null)) person.pose = pose;
}

function readName(reading: Reading, mention: Mention): void {
  const index = Number(mention.kind);
  const look = reading.looks[index];
  if (look === undefined) return;
  const person = reading.named.get(index) ?? personOf(look, [], mention);
  if (!reading.named.has(index)) reading.people.push(person);
  reading.named.set(index, person);
  person.sentence = mention.sentence;
  if (mention.side !== 0) person.side = mention.side;
  if (mention.flying) person.flying = true;
  reading.lastName = mention;
  reading.loose = [];
  enter(reading, person);
}

function readPersonWord(reading: Reading, mention: Mention): void {
  if (isCharacter(reading, mention)) return;
  const again =
    mention.definite && !mention.plural
      ? reading.people.find(
          ({ look, group }) =>
            look === null &&
            group.some(({ kind, family }) => family === "person" && kind === mention.kind),
        )
      : undefined;
  if (again !== undefined) {
    again.sentence = mention.sentence;
    enter(reading, again);
    return;
  }
  const near = reading.loose.filter(
    (word) => word.sentence === mention.sentence && mention.position - word.position <= 4,
  );
  reading.loose = [];
  const kinds = isKeyOf(parties, mention.kind) ? parties[mention.kind] : [mention.kind];
  for (let number = howMany(mention, 3, 6); number > 0; number -= 1) {
    for (const kind of kinds) {
      const person = personOf(null, [...near, { ...mention, kind }], mention);
      reading.people.push(person);
      enter(reading, person);
    }
  }
}

function lookOf(person: Person, seed: number, index: number): Look {
  const held = person.held === null ? [] : [person.held];
  if (person.look === null) return readLook([...person.group, ...held], `${seed} ${index}`);
  if (person.held === null || person.look.figure === "animal") return person.look;
  // Held things belong to the scene; everything else about a character stays.
  const hand = readLook(held, "hand");
  return hand.figure === "animal" ? person.look : { ...person.look, held: hand.held };
}
