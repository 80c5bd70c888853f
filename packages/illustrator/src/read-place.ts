import type { Time, Weather } from "./air.ts";
import type { Season } from "./ground.ts";
import { habitats, largeThings, stillLife, usualLands } from "./habitats.ts";
import { isKeyOf } from "./keys.ts";
import type { Random } from "./random.ts";
import type { Mention } from "./mention.ts";
import type { Figure, Place, Scene, Thing } from "./scene.ts";
import type { StyleName } from "./styles.ts";
import { seasonWords } from "./vocabulary/nature.ts";
import { subjects } from "./subjects.ts";
import { wordSet } from "./vocabulary/word-forms.ts";

/** The words that determine the place. */
interface PlaceWords {
  readonly mentions: readonly Mention[];
  /** The words of the location; the same as `mentions` without a location. */
  readonly placeMentions: readonly Mention[];
  readonly located: boolean;
  /** Fixtures of the location. */
  readonly fixtures: readonly Thing[];
  /** Includes those of the location. */
  readonly things: readonly Thing[];
  readonly figures: readonly Figure[];
  readonly style: StyleName;
  readonly random: Random;
}

const outside: ReadonlySet<string> = new Set([
  "outside",
  "past",
  "behind",
  "near",
  "beside",
  "by",
  "front",
  "before",
  "from",
  "toward",
  "towards",
  "to",
  "of",
]);
const into: ReadonlySet<string> = new Set([
  "in",
  "inside",
  "at",
  "im",
  "dans",
  "en",
  "nel",
  "nella",
  "within",
  "into",
]);

const wildWeather = wordSet("snow fog storm");
const usingWords = wordSet("holding carrying wearing");
/** Rooms named by their furniture. */
const roomsOf: Readonly<Record<string, string>> = {
  fireside: "livingroom",
  sofa: "livingroom",
  throne: "hall",
};
const onto = wordSet("on onto upon auf sur sobre sul sulla");

const timeOrder: readonly Time[] = ["night", "sunset", "dusk", "dawn", "day"];
const weatherOrder: readonly Weather[] = [
  "storm",
  "snow",
  "rain",
  "fog",
  "wind",
  "cloudy",
  "clear",
];

function kinds(mentions: readonly Mention[], family: string): Set<string> {
  return new Set(mentions.filter((mention) => mention.family === family).map(({ kind }) => kind));
}

/** Returns the place, time, weather and season of a scene. */
export function readPlace(
  words: PlaceWords,
): Pick<Scene, "place" | "time" | "weather" | "season" | "sky" | "empty"> {
  const { mentions, placeMentions, located } = words;
  const either = (family: string): Set<string> => {
    const own = kinds(mentions, family);
    return own.size > 0 || !located ? own : kinds(placeMentions, family);
  };
  const sky = new Set([...kinds(mentions, "sky"), ...kinds(placeMentions, "sky")]);
  const absent = kinds(mentions, "absent");
  if (absent.delete("cloud")) sky.add("cloudless");
  const place = placeOf(words);
  const timeWords = either("time");
  const dark = ["moon", "fullmoon", "crescent", "stars", "aurora", "fireworks", "comet"].some(
    (kind) => sky.has(kind),
  );
  const time: Time =
    timeOrder.find((one) => timeWords.has(one)) ??
    (words.style === "night" || dark || (place.kind === "outdoors" && place.land.has("neon"))
      ? "night"
      : located
        ? "day"
        : words.random.fork("time").chance(0.14)
          ? "sunset"
          : "day");
  const weatherWords = either("weather");
  const weather = weatherOrder.find((one) => weatherWords.has(one)) ?? "clear";
  const things = new Set(words.things.map(({ kind }) => kind));
  const cold =
    weather === "snow" ||
    things.has("snowman") ||
    things.has("penguin") ||
    things.has("polarbear") ||
    (place.kind === "outdoors" && place.land.has("icefield"));
  // The season is part of how a location looks; only the scene's own words change it.
  const said = [...either("season")].find((kind) => isKeyOf(seasonWords, kind));
  const season: Season =
    said ??
    (cold
      ? "winter"
      : things.has("pumpkin")
        ? "autumn"
        : things.has("blossom") || things.has("tulip")
          ? "spring"
          : words.random.fork("season").pick(["spring", "summer", "summer"] as const));
  return { place, time, weather, season, sky, empty: absent.size > 0 };
}

function placeOf(words: PlaceWords): Place {
  const { mentions, placeMentions, things, figures, random } = words;
  const outdoorsAt = placeMentions.findIndex(
    ({ family, kind }) =>
      (family === "land" && kind !== "road") ||
      family === "water" ||
      family === "town" ||
      family === "building",
  );
  const roomAt = placeMentions.findIndex(
    ({ family, kind, relation }) =>
      family === "room" && (kind in roomsOf || !outside.has(relation)),
  );
  const room = placeMentions[roomAt];
  if (room !== undefined && (outdoorsAt === -1 || roomAt < outdoorsAt || into.has(room.relation)))
    return {
      kind: "room",
      room: roomsOf[room.kind] ?? room.kind,
      colour:
        placeMentions.find(({ family, colours }) => family === "room" && colours.length > 0)
          ?.colours[0] ?? null,
      onFurniture: mentions.some(({ family, relation }) => family === "room" && onto.has(relation)),
    };

  const land = new Set([...kinds(placeMentions, "land"), ...kinds(placeMentions, "water")]);
  const towns = kinds(placeMentions, "town");
  if (land.size === 0 && towns.size === 0) {
    const still = placeOfStillLife(words);
    if (still !== null) return still;
    const present = [
      ...things.map(({ kind }) => kind),
      ...figures.flatMap(({ look }) => (look.figure === "animal" ? [look.kind] : [])),
    ];
    present.push(...kinds(mentions, "person"));
    const afloat = present.some((kind) => subjects[kind]?.zone === "water");
    const fishing = afloat || figures.some(({ look }) => look.figure === "person");
    const lands = landsOf(present, afloat) ?? random.fork("land").pick(usualLands);
    for (const kind of lands) {
      if (kind === "city" || kind === "village") towns.add(kind);
      else land.add(kind === "underwater" && fishing ? "sea" : kind);
    }
  }
  if (towns.has("neon")) land.add("neon");
  const town =
    towns.has("city") || towns.has("neon")
      ? "city"
      : towns.has("village") || land.has("square")
        ? "village"
        : null;
  return { kind: "outdoors", land, town };
}

/**
 * Returns a table for things that are usually shown on one, otherwise null. For a location, only
 * its own things count, whatever happens there.
 */
function placeOfStillLife(words: PlaceWords): Place | null {
  const { placeMentions, located, fixtures, things, figures } = words;
  const shown = located ? fixtures : things;
  const lifeless =
    (located || figures.length === 0) && shown.every(({ family }) => family !== "animal");
  const outdoors =
    kinds(placeMentions, "sky").size > 0 ||
    [...kinds(placeMentions, "weather")].some((kind) => wildWeather.has(kind));
  // Somebody uses it, although the word for the person is unknown.
  const used =
    shown.some(({ flying }) => flying) ||
    placeMentions.some(({ family, relation }) => family === "pose" || usingWords.has(relation));
  const still =
    shown.some(({ kind }) => stillLife.has(kind)) &&
    shown.every(({ kind }) => subjects[kind]?.indoors === true);
  if (!lifeless || outdoors || used || !still) return null;
  const bare = shown.every(({ kind }) => kind === "table");
  return located || bare || shown.some(({ kind }) => largeThings.has(kind))
    ? { kind: "room", room: "room", colour: null, onFurniture: false }
    : { kind: "tabletop" };
}

/**
 * The default lands of the first kind, or of the first kind with the water that floating things
 * need.
 */
function landsOf(present: readonly string[], afloat: boolean): readonly string[] | undefined {
  const choices = present.flatMap((kind) => {
    const lands = habitats[kind];
    return lands === undefined ? [] : [lands];
  });
  const watery = choices.find((lands) => lands.some((land) => land === "sea" || land === "lake"));
  return (afloat ? watery : undefined) ?? choices[0];
}
