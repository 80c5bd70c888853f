import { describe, expect, it } from "vitest";
import { readRequest } from "./read-request.ts";
import type { ReferenceWords } from "./read-request.ts";
import { subjects } from "./subjects.ts";
import { kindsOf, vocabulary } from "./vocabulary/index.ts";
import type { Family } from "./vocabulary/index.ts";
import { colourWords } from "./vocabulary/modifiers.ts";

const read = (prompt: string, references: readonly ReferenceWords[] = []) =>
  readRequest(prompt, references, 1);
const things = (prompt: string) =>
  read(prompt).things.map(({ kind, count, colours }) => [kind, count, ...colours]);
const colour = (name: string): string => colourWords[name]?.colour ?? "";

const mira: ReferenceWords = {
  role: "character",
  name: "Mira",
  description: "a girl with long red hair, green coat and yellow boots",
};
const pip: ReferenceWords = {
  role: "character",
  name: "Pip",
  description: "a small orange fox with a blue scarf",
};
const bay: ReferenceWords = {
  role: "location",
  name: "Lighthouse Bay",
  description: "A quiet bay with a red and white lighthouse on a cliff and two boats",
};

describe("the vocabulary", () => {
  it.each<[Family, number]>([
    ["time", 60],
    ["weather", 60],
    ["land", 100],
    ["water", 60],
    ["plant", 60],
    ["building", 60],
    ["vehicle", 60],
    ["animal", 100],
    ["person", 100],
    ["room", 60],
    ["object", 60],
    ["wear", 100],
  ])("has words for %s: at least %i", (family, least) => {
    expect(
      [...vocabulary.values()].filter((noun) => noun.family === family).length,
    ).toBeGreaterThanOrEqual(least);
  });

  it.each(["plant", "building", "vehicle", "animal", "object"] as const)(
    "every kind of %s is drawn",
    (family) => {
      expect(kindsOf(family).filter((kind) => subjects[kind] === undefined)).toEqual([]);
    },
  );

  it("maps every word to its subject", () => {
    const missed: string[] = [];
    for (const [phrase, { family, kind }] of vocabulary) {
      if (!["plant", "building", "vehicle", "animal", "object"].includes(family)) continue;
      const text = phrase.replaceAll("_", " ");
      if (!read(`the ${text}`).things.some((thing) => thing.kind === kind)) missed.push(text);
    }
    expect(missed).toEqual([]);
  });
});

describe("names that contain other names", () => {
  const girl = { ...mira, description: "a girl with red hair" };
  const stone: ReferenceWords = {
    role: "character",
    name: "Mira Stone",
    description: "an old woman with grey hair",
  };
  const house: ReferenceWords = {
    role: "location",
    name: "Mira's house",
    description: "a kitchen with a table",
  };
  const lookOf = (reference: ReferenceWords) =>
    read(reference.name ?? "", [reference]).figures[0]?.look;
  /** Returns the looks of the seated people; everyone else stands. */
  const sitting = (prompt: string, references: readonly ReferenceWords[]) =>
    read(prompt, references).figures.flatMap(({ look, pose }) => (pose === "sit" ? [look] : []));

  it.each([
    ["the short name first", [girl, stone]],
    ["the long name first", [stone, girl]],
  ])("are told apart: %s", (_order, references) => {
    expect(sitting("Mira Stone sits", references)).toEqual([lookOf(stone)]);
    expect(sitting("Mira sits", references)).toEqual([lookOf(girl)]);
  });

  it("may be part of a location's name", () => {
    expect(sitting("Mira Stone sits in Mira's house", [girl, stone, house])).toEqual([
      lookOf(stone),
    ]);
  });

  it("are found in a decomposed spelling", () => {
    const zoe: ReferenceWords = { ...stone, name: "Zoë" };
    const decomposed = { ...zoe, name: "Zoë".normalize("NFD") };
    expect(sitting("Zoë sits".normalize("NFD"), [zoe])).toEqual([lookOf(zoe)]);
    expect(sitting("Zoë sits", [decomposed])).toEqual([lookOf(zoe)]);
  });
});

describe("reading a prompt", () => {
  it("binds colours to the noun they stand before", () => {
    expect(things("a red house and a blue boat, green trees")).toEqual([
      ["house", 1, colour("red")],
      ["boat", 1, colour("blue")],
      ["tree", expect.any(Number), colour("green")],
    ]);
    expect(things("a red and white striped lighthouse beside a cottage")).toEqual([
      ["lighthouse", 1, colour("red"), colour("white")],
      ["cottage", 1],
    ]);
    expect(things("the barn is dark blue")).toEqual([["barn", 1, colour("navy")]]);
  });

  it("binds the colours of parts to the parts", () => {
    const [house] = read("a white house with a blue roof").things;
    expect(house?.colours).toEqual([colour("white")]);
    expect(house?.parts.get("roof")).toBe(colour("blue"));
  });

  it("binds counts", () => {
    expect(things("three sheep, two trees, a dozen birds, 5 cats and a flock of geese")).toEqual([
      ["sheep", 3],
      ["tree", 2],
      ["bird", 12],
      ["cat", 5],
      ["swan", 6],
    ]);
    expect(read("two children and a knight").figures).toHaveLength(3);
  });

  it("understands negations", () => {
    expect(things("a meadow with a cow, no sheep and without trees")).toEqual([["cow", 1]]);
  });

  it("reads the commonest nouns of five more languages", () => {
    expect(things("Ein rotes Haus mit drei Schafen")).toEqual([
      ["house", 1, colour("red")],
      ["sheep", 3],
    ]);
    expect(things("une maison rouge et deux chevaux")).toEqual([
      ["house", 1, colour("red")],
      ["horse", 2],
    ]);
    expect(things("una casa azul y dos árboles")).toEqual([
      ["house", 1, colour("blue")],
      ["tree", 2],
    ]);
    expect(things("un castello bianco e tre gatti")).toEqual([
      ["castle", 1, colour("white")],
      ["cat", 3],
    ]);
    expect(things("um barco vermelho")).toEqual([["boat", 1, colour("red")]]);
  });

  it("reads place, time, weather, season and style", () => {
    expect(read("a foggy harbour at dawn in autumn, watercolour")).toMatchObject({
      time: "dawn",
      weather: "fog",
      season: "autumn",
      style: "watercolour",
      place: { kind: "outdoors", land: new Set(["harbour"]) },
    });
    expect(read("a cat in the kitchen at night").place).toMatchObject({
      kind: "room",
      room: "kitchen",
    });
    expect(read("outside a café").place.kind).toBe("outdoors");
    expect(
      [
        "flat design",
        "watercolor",
        "ink drawing",
        "soft pastel",
        "neon",
        "vintage poster",
        "film noir",
      ].map((style) => read(`a boat, ${style}`).style),
    ).toEqual(["flat", "watercolour", "ink", "pastel", "night", "retro", "noir"]);
  });

  it("puts people into boats and onto horses", () => {
    expect(read("a girl rowing a small boat").figures[0]).toMatchObject({ pose: "ride", on: 0 });
    expect(read("a knight on a white horse").figures[0]).toMatchObject({ pose: "ride", on: 0 });
    expect(read("a woman near a boat").figures[0]).toMatchObject({ on: null });
  });

  it("lets unknown words change the seed", () => {
    expect(read("glimmering quandary").seed).not.toBe(read("glimmering paradox").seed);
  });
});

describe("reading a story scene", () => {
  it("draws each character exactly once, named, described again, or not mentioned at all", () => {
    const prompts = [
      "Mira and Pip walk to the lighthouse.",
      `Mira walks on the beach with Pip. Mira: ${mira.description}. Pip: ${pip.description}. Mira waves.`,
      "Mira, a brave girl, follows Pip, a clever fox. The girl laughs at the fox.",
      "An empty beach at noon",
    ];
    for (const prompt of prompts) {
      const { figures, things: others } = read(prompt, [mira, pip]);
      expect(figures.map(({ look }) => look.figure).sort()).toEqual(["animal", "person"]);
      expect(others.map(({ kind }) => kind)).not.toContain("fox");
    }
  });

  it("adds strangers to the characters", () => {
    expect(read("Mira meets two knights", [mira]).figures).toHaveLength(3);
  });

  it("draws a character identically in every scene and in the portrait", () => {
    const looks = ["Mira at night in the rain, red, black, old", "Mira runs over a meadow"].map(
      (prompt) => read(prompt, [mira]).figures[0]?.look,
    );
    const portraits = [
      read(`Character portrait of Mira: ${mira.description}. Plain white background, watercolour.`),
      read("Portrait", [mira]),
    ];
    expect(looks[1]).toEqual(looks[0]);
    for (const { portrait, figures } of portraits) {
      expect(portrait).toBe("full");
      expect(figures.map(({ look }) => look)).toEqual([looks[0]]);
    }
  });

  it("keeps the person when the costume changes", () => {
    const armour = { ...mira, description: "a girl with long red hair, wearing silver armour" };
    const before = read("Mira", [mira]).figures[0]?.look;
    const after = read("Mira", [armour]).figures[0]?.look;
    if (before?.figure !== "person" || after?.figure !== "person") throw new Error("not a person");
    expect(after).toMatchObject({
      skin: before.skin,
      hair: before.hair,
      face: before.face,
      eyes: before.eyes,
      age: "child",
    });
    expect(after.top.kind).toBe("armour");
    expect(after.over).toBeNull();
  });

  it("reads a description", () => {
    expect(read("Mira", [mira]).figures[0]?.look).toMatchObject({
      age: "child",
      feminine: true,
      hair: { kind: "long", colour: colour("red") },
      over: { kind: "coat", colour: colour("green") },
      feet: { kind: "boots", colour: colour("yellow") },
    });
    expect(
      read("a man with dark skin, a grey beard, glasses, a blue scarf and a straw hat").figures[0]
        ?.look,
    ).toMatchObject({
      age: "adult",
      feminine: false,
      skin: "#7a4c36",
      beard: { kind: "beard", colour: colour("grey") },
      scarf: colour("blue"),
      hat: { kind: "hat", colour: "#e3c27a" },
    });
  });

  it("takes the place from the location alone, the time from the scene", () => {
    const scenes = [
      "Mira waits in Lighthouse Bay at sunset",
      "Storm over Lighthouse Bay, a dragon and a castle",
    ].map((prompt) => read(prompt, [mira, bay]));
    expect(scenes[0]).toMatchObject({ time: "sunset", located: true });
    expect(scenes[1]).toMatchObject({ weather: "storm" });
    expect(scenes[1]?.placeSeed).toBe(scenes[0]?.placeSeed);
    expect(scenes[1]?.fixtures).toEqual(scenes[0]?.fixtures);
    expect(scenes[1]?.place).toEqual(scenes[0]?.place);
  });

  it("reads the labelled lines of a story's prompts", () => {
    const scene = read(
      [
        "They row a boat under the stars.",
        "Location (Lighthouse Bay): A quiet bay with a red and white lighthouse on a cliff and two boats.",
        `Character (Mira): ${mira.description}.`,
        `Character (Pip): ${pip.description}.`,
        "Setting: a kitchen.",
        "Style: watercolour.",
        "Story: a dragon and a princess look for treasure in the desert.",
        "The story is context; draw this scene only.",
        "Keep what the reference images show recognisably the same.",
      ].join("\n"),
      [mira, bay],
    );
    expect(scene).toMatchObject({ time: "night", style: "watercolour", located: true });
    expect(scene.place).toEqual(read("Lighthouse Bay", [bay]).place);
    expect(scene.placeSeed).toBe(read("Lighthouse Bay", [bay]).placeSeed);
    expect(scene.figures.map(({ look }) => look)).toEqual(
      read("Mira and Pip", [mira, pip]).figures.map(({ look }) => look),
    );
    expect(scene.things.map(({ kind }) => kind)).toEqual(["boat"]);
  });

  it("reads the same place without people for the location's own picture", () => {
    const view = read(
      `View of Lighthouse Bay with nobody in it: no characters, no people. No text.\nLocation (Lighthouse Bay): ${bay.description}.`,
    );
    const scene = read("Mira in Lighthouse Bay", [mira, bay]);
    expect(view.figures).toEqual([]);
    expect(view.things).toEqual([]);
    expect(view).toMatchObject({
      place: scene.place,
      placeSeed: scene.placeSeed,
      fixtures: scene.fixtures,
    });
  });

  it("reads the same person for a labelled portrait, with new clothes in a state", () => {
    const portraitOf = (description: string) =>
      read(
        `Full-length portrait of Mira, alone before a plain backdrop, facing the viewer. No text.\nCharacter (Mira): ${description}\nSetting: a harbour with ships.\nThe setting is context only.`,
      );
    const base = portraitOf(`${mira.description}.`);
    expect(base.portrait).toBe("full");
    expect(base.figures).toEqual(read("Mira", [mira]).figures);
    const state = portraitOf(
      `${mira.description}. Now appearing differently: silver armour and short hair. Where it differs, this replaces what was said before; face and build stay the same.`,
    );
    expect(state.figures[0]?.look).toMatchObject({
      top: { kind: "armour" },
      over: null,
      hair: { kind: "bob", colour: colour("red") },
      feet: { kind: "boots", colour: colour("yellow") },
    });
  });

  it("uses the story's setting when the scene names no place", () => {
    const scenes = ["Mira waits.", "Mira runs.", "Mira in a forest."].map((prompt) =>
      read(`${prompt}\nSetting: a kitchen.`, [mira]),
    );
    expect(scenes.map(({ place }) => place.kind)).toEqual(["room", "room", "outdoors"]);
    expect(scenes[1]?.placeSeed).toBe(scenes[0]?.placeSeed);
  });

  it("treats a portrait on a wall as an object", () => {
    expect(
      read("In the great hall of the castle the old king looks at a portrait").portrait,
    ).toBeNull();
  });
});
