import type { Pose } from "./draw/person/limbs.ts";
import { isKeyOf } from "./keys.ts";
import type { Look } from "./look.ts";
import { readLook } from "./read-look.ts";
import type { Mention } from "./read-words.ts";
import type { Figure, Thing } from "./scene.ts";
import { subjects } from "./subjects.ts";
import { poseWords } from "./vocabulary/modifiers.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));
const drawnFamilies = words("plant building vehicle object animal");
const wornFamilies = words("wear body hairShape");
const handy = words("book lantern basket umbrella flower cup partyballoon guitar");
const withWords = words("with holding carrying mit avec con com");
const onWords = words("on in onto upon inside auf im dans sur en sobre su sul sulla");
const mostThings = 16;
const mostOfOne = 12;
// More cannot be told apart, and would take long to draw.
const mostOfAll = 60;
const mostUnnamed = 8;

/** Somebody of whom more may be said. */
interface Person {
  readonly look: Look | null;
  /** The words for who they are, and for how they look where that is open. */
  readonly group: Mention[];
  /** The sentence in which they were last spoken of. */
  sentence: number;
  pose: Pose;
  on: number | null;
  held: Mention | null;
}

type OpenThing = { -readonly [Key in keyof Thing]: Thing[Key] } & { parts: Map<string, string> };

/** What has been read so far. */
interface Reading {
  readonly looks: readonly Look[];
  readonly things: OpenThing[];
  readonly people: Person[];
  readonly named: Map<number, Person>;
  /** Who the clause is about: poses, things in the hand and seats go to them. */
  clause: Person[];
  /** Something was said of the clause's people: who comes next begins a new clause. */
  said: boolean;
  lastName: Mention | null;
  lastThing: Mention | null;
  /** Words for clothes and hair of which it is not yet known whose they are. */
  loose: Mention[];
}

/**
 * The things and people of a text. `looks` are the characters of the request: each is drawn exactly
 * once, named or not; what the text says about their appearance does not count.
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
    loose: [],
  };
  for (const mention of mentions) readMention(reading, mention);
  for (const [index, look] of looks.entries()) {
    if (!reading.named.has(index)) reading.people.push(personOf(look, [], -1));
  }
  const figures = reading.people.map((person, index): [Person, Figure] => [
    person,
    { look: lookOf(person, seed, index), pose: person.pose, on: person.on },
  ]);
  const characters = figures.filter(([{ look }]) => look !== null);
  const others = figures.filter(([{ look }]) => look === null).slice(0, mostUnnamed);
  return {
    things: reading.things,
    figures: [...characters, ...others].map(([, figure]) => figure),
  };
}

function readMention(reading: Reading, mention: Mention): void {
  const { clause } = reading;
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
    const owner = reading.clause.at(-1);
    if (owner === undefined || owner.look !== null) reading.loose.push(mention);
    else owner.group.push(mention);
  } else if (mention.family === "pose") {
    if (isKeyOf(poseWords, mention.kind))
      for (const person of reading.clause) person.pose = mention.kind;
    reading.said = true;
  } else if (drawnFamilies.has(mention.family) && subjects[mention.kind] !== undefined) {
    readThing(reading, mention);
  } else if (mention.family === "part" && mention.kind !== "other") {
    const [colour] = mention.colours;
    if (colour !== undefined) reading.things.at(-1)?.parts.set(mention.kind, colour);
  }
}

function enter(reading: Reading, person: Person): void {
  reading.clause = reading.said ? [person] : [...reading.clause, person];
  reading.said = false;
}

function personOf(look: Look | null, group: Mention[], sentence: number): Person {
  return { look, group, sentence, pose: "stand", on: null, held: null };
}

function readName(reading: Reading, mention: Mention): void {
  const index = Number(mention.kind);
  const look = reading.looks[index];
  if (look === undefined) return;
  const person = reading.named.get(index) ?? personOf(look, [], mention.sentence);
  if (!reading.named.has(index)) reading.people.push(person);
  reading.named.set(index, person);
  person.sentence = mention.sentence;
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
  for (let number = howMany(mention, 3, 6); number > 0; number -= 1) {
    const person = personOf(null, [...near, mention], mention.sentence);
    reading.people.push(person);
    enter(reading, person);
  }
}

/** True for a word that only says who a named character is: "Mira, a girl …", "the girl". */
function isCharacter({ looks, lastName }: Reading, mention: Mention): boolean {
  if (looks.length === 0) return false;
  if (
    mention.family === "animal" &&
    !looks.some((look) => look.figure === "animal" && look.kind === mention.kind)
  )
    return false;
  if (mention.definite) return true;
  const single = !mention.plural && (mention.count ?? 1) === 1;
  return (
    single &&
    lastName !== null &&
    lastName.sentence === mention.sentence &&
    mention.position - lastName.position <= 5
  );
}

function readThing(reading: Reading, mention: Mention): void {
  if (mention.family === "animal" && isCharacter(reading, mention)) return;
  // "A retriever puppy" is one dog.
  const { lastThing } = reading;
  reading.lastThing = mention;
  if (lastThing?.kind === mention.kind && mention.position - lastThing.position <= 1) return;
  const one = !mention.plural && (mention.count ?? 1) === 1;
  const holder = reading.clause.find(({ look }) => look?.figure !== "animal");
  if (
    holder !== undefined &&
    holder.held === null &&
    one &&
    handy.has(mention.kind) &&
    (holder.pose === "hold" || withWords.has(mention.relation))
  ) {
    holder.held = mention;
    reading.said = true;
    return;
  }
  const subject = subjects[mention.kind];
  const previous = reading.things.at(-1);
  const index = addThing(reading.things, mention);
  if (subject?.seat == null || mention.kind === "table") {
    reading.said = true;
    return;
  }
  const on = onWords.has(mention.relation);
  const isSeat = mention.kind === "bench" || mention.kind === "chair";
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

/** "A cat in a boat": the animal said just before goes into the thing. */
function seatAnimal(reading: Reading, animal: OpenThing, index: number, mention: Mention): void {
  if (animal.family !== "animal" || animal.count > 2 || (subjects[animal.kind]?.size ?? 1) > 0.25)
    return;
  const said: Mention = {
    ...mention,
    family: "animal",
    kind: animal.kind,
    colours: [...animal.colours],
    size: animal.size,
  };
  for (let number = 0; number < animal.count; number += 1) {
    reading.people.push({ ...personOf(null, [said], mention.sentence), on: index });
  }
  animal.count = 0;
}

function lookOf(person: Person, seed: number, index: number): Look {
  const held = person.held === null ? [] : [person.held];
  if (person.look === null) return readLook([...person.group, ...held], `${seed} ${index}`);
  if (person.held === null || person.look.figure === "animal") return person.look;
  // What is in the hand belongs to the scene; everything else about a character stays.
  const hand = readLook(held, "hand");
  return hand.figure === "animal" ? person.look : { ...person.look, held: hand.held };
}

function howMany({ count, plural }: Mention, usual: number, most: number): number {
  if (count !== null && (count > 1 || !plural)) return Math.min(most, count);
  return plural ? usual : 1;
}

/** Adds a thing, or the new words to one that was said before; the thing's index. */
function addThing(things: OpenThing[], mention: Mention): number {
  const before = things.findIndex(({ kind }) => kind === mention.kind);
  const known = things[before];
  if (known !== undefined && (mention.definite || things.length >= mostThings)) {
    if (mention.colours.length > 0) known.colours = mention.colours;
    return before;
  }
  if (things.length >= mostThings) return things.length - 1;
  const left = mostOfAll - things.reduce((sum, { count }) => sum + count, 0);
  const usual = mention.family === "building" ? 3 : 3 + (mention.position % 2);
  things.push({
    family: mention.family,
    kind: mention.kind,
    count: Math.max(1, Math.min(left, howMany(mention, usual, mostOfOne))),
    colours: mention.colours,
    size: mention.size,
    parts: new Map(),
  });
  return things.length - 1;
}
