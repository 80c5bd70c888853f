import type { Pose } from "./draw/person/limbs.ts";
import type { Look } from "./look.ts";
import { readLook } from "./read-look.ts";
import { isKeyOf } from "./keys.ts";
import { createRandom } from "./random.ts";
import type { Mention } from "./read-words.ts";
import type { Figure, Thing } from "./scene.ts";
import { poseWords } from "./vocabulary/modifiers.ts";
import { subjects } from "./subjects.ts";

const drawnFamilies: ReadonlySet<string> = new Set([
  "plant",
  "building",
  "vehicle",
  "object",
  "animal",
]);
const worn: ReadonlySet<string> = new Set(["wear", "body", "hairShape"]);
const carried: ReadonlySet<string> = new Set([
  "book",
  "lantern",
  "basket",
  "umbrella",
  "flower",
  "cup",
  "partyballoon",
  "guitar",
]);
const carryingWords: ReadonlySet<string> = new Set([
  "with",
  "holding",
  "carrying",
  "mit",
  "avec",
  "con",
  "com",
]);
const mostThings = 16;
const mostOfOne = 12;
const mostFigures = 8;

const riding: ReadonlySet<string> = new Set([
  "on",
  "in",
  "onto",
  "upon",
  "inside",
  "over",
  "auf",
  "im",
  "dans",
  "sur",
  "en",
  "sobre",
  "su",
  "sul",
  "sulla",
]);

interface Open {
  mention: Mention | null;
  readonly look: Look | null;
  readonly group: Mention[];
  pose: Pose;
  on: number | null;
  held: Mention | null;
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
  const things: (Thing & { parts: Map<string, string> })[] = [];
  const open: Open[] = [];
  const met = new Map<number, Open>();
  let current: Open | null = null;
  let lastName: Mention | null = null;
  let before: Mention[] = [];

  for (const mention of mentions) {
    if (
      current !== null &&
      current.mention?.sentence !== mention.sentence &&
      mention.family !== "wear" &&
      mention.family !== "body"
    )
      current = null;
    if (mention.family === "name") {
      const index = Number(mention.kind);
      const look = looks[index];
      if (look === undefined) continue;
      current = met.get(index) ?? null;
      if (current === null) {
        current = { mention, look, group: [], pose: "stand", on: null, held: null };
        met.set(index, current);
        open.push(current);
      } else current.mention = mention;
      lastName = mention;
      before = [];
    } else if (mention.family === "pose") {
      if (current !== null && isKeyOf(poseWords, mention.kind)) current.pose = mention.kind;
    } else if (worn.has(mention.family)) {
      if (current === null || current.look !== null) before.push(mention);
      else current.group.push(mention);
    } else if (mention.family === "person") {
      if (isKnown(mention, lastName, looks)) continue;
      const known =
        mention.definite && !mention.plural
          ? open.find((other) => other.look === null && other.mention?.kind === mention.kind)
          : undefined;
      if (known !== undefined) {
        current = known;
        continue;
      }
      const near = before.filter(
        (word) => mention.position - word.position <= 4 && word.sentence === mention.sentence,
      );
      for (let index = 0; index < howMany(mention, 3, 6); index += 1) {
        current = {
          mention,
          look: null,
          group: [...near, mention],
          pose: "stand",
          on: null,
          held: null,
        };
        open.push(current);
      }
      before = [];
    } else if (drawnFamilies.has(mention.family) && subjects[mention.kind] !== undefined) {
      if (
        current !== null &&
        current.held === null &&
        carried.has(mention.kind) &&
        (mention.count ?? 1) === 1 &&
        !mention.plural &&
        (current.pose === "hold" || carryingWords.has(mention.relation))
      ) {
        current.held = mention;
        continue;
      }
      if (
        mention.family === "animal" &&
        mention.definite &&
        looks.some((look) => look.figure === "animal" && look.kind === mention.kind)
      )
        continue;
      const index = addThing(things, mention);
      const seat = subjects[mention.kind]?.seat ?? null;
      if (
        current !== null &&
        current.on === null &&
        seat !== null &&
        (current.pose === "ride" || riding.has(mention.relation))
      ) {
        current.on = index;
        if (mention.kind === "bench" || mention.kind === "chair") current.pose = "sit";
        else if (mention.family === "animal") current.pose = "ride";
      }
    } else if (mention.family === "part") {
      const colour = mention.colours[0];
      const last = things.at(-1);
      if (colour !== undefined && last !== undefined && mention.kind !== "other")
        last.parts.set(mention.kind, colour);
    }
  }
  for (const [index, look] of looks.entries()) {
    if (!met.has(index))
      open.push({ mention: null, look, group: [], pose: "stand", on: null, held: null });
  }
  const figures = open.map((one, index): Figure => ({
    look: lookOf(one, seed, index),
    pose: one.pose,
    on: one.on,
  }));
  const named = figures.filter((_, index) => open[index]?.look !== null);
  const others = figures.filter((_, index) => open[index]?.look === null).slice(0, mostFigures);
  return { things, figures: [...named, ...others] };
}

function lookOf(one: Open, seed: number, index: number): Look {
  const heldMentions = one.held === null ? [] : [one.held];
  if (one.look === null) return readLook([...one.group, ...heldMentions], `${seed} ${index}`);
  if (one.held === null || one.look.figure !== "person") return one.look;
  const held = readLook(heldMentions, "hand");
  return held.figure === "person" ? { ...one.look, held: held.held } : one.look;
}

/** True for a person word that only says who a named character is. */
function isKnown(mention: Mention, lastName: Mention | null, looks: readonly Look[]): boolean {
  if (looks.length === 0 || mention.plural || (mention.count ?? 1) > 1) return false;
  if (mention.definite) return true;
  return (
    lastName !== null &&
    lastName.sentence === mention.sentence &&
    mention.position - lastName.position <= 5
  );
}

function howMany(mention: Mention, plural: number, most: number): number {
  return Math.min(
    most,
    mention.count !== null && (mention.count > 1 || !mention.plural)
      ? mention.count
      : mention.plural
        ? plural
        : 1,
  );
}

/** Adds a thing, or the new words to one that was said before; the thing's index. */
function addThing(things: (Thing & { parts: Map<string, string> })[], mention: Mention): number {
  const before = things.findIndex(({ kind }) => kind === mention.kind);
  const known = things[before];
  if (known !== undefined && (mention.definite || things.length >= mostThings)) {
    if (mention.colours.length > 0) things[before] = { ...known, colours: mention.colours };
    return before;
  }
  if (things.length >= mostThings) return things.length - 1;
  const uncertain = createRandom(mention.position + 7).whole(3, 4);
  things.push({
    kind: mention.kind,
    count: howMany(mention, mention.family === "building" ? 3 : uncertain, mostOfOne),
    colours: mention.colours,
    size: mention.size,
    parts: new Map(),
    on: null,
  });
  return things.length - 1;
}
