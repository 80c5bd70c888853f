import { describe, expect, it } from "vitest";
import { readMentions } from "./read-words.ts";
import { readRequest } from "./read-request.ts";

const kinds = (text: string): string[] => readMentions(text).map(({ kind }) => kind);
const present = (text: string): string[] =>
  readMentions(text)
    .filter(({ family }) => family !== "absent")
    .map(({ kind }) => kind);
const read = (prompt: string) => readRequest(prompt, [], 1);

describe("a negation", () => {
  it("applies to the next noun and to nouns joined by or", () => {
    expect(present("a meadow without trees or sheep and with a cow")).toEqual(["meadow", "cow"]);
    expect(present("no people, a cat")).toEqual(["cat"]);
  });

  it("ends at a number, a preposition or a full stop", () => {
    expect(present("no text, a cat")).toEqual(["cat"]);
    expect(present("a beach without people at sunset")).toEqual(["beach", "sunset"]);
    expect(present("No text. Sheep on a hill")).toEqual(["sheep", "hills"]);
  });
});

describe("words for sides", () => {
  const sides = (text: string): (string | number)[][] =>
    readMentions(text).map(({ kind, side }) => [kind, side]);

  it("apply to the noun before them, or to the next one at the start of a clause", () => {
    const pair = [
      ["boy", -1],
      ["dog", 1],
    ];
    expect(sides("a boy on the left and a dog on the right")).toEqual(pair);
    expect(sides("On the left a boy, on the right a dog")).toEqual(pair);
    expect(sides("links ein Junge, rechts ein Hund")).toEqual(pair);
    expect(sides("a boy to the left of a dog")).toEqual(pair);
  });

  it("are not verbs or hands", () => {
    expect(sides("a boy left his dog")).toEqual([
      ["boy", 0],
      ["dog", 0],
    ]);
    expect(sides("a boy with a lantern in the left hand")).toEqual([
      ["boy", 0],
      ["lantern", 0],
    ]);
  });
});

describe("words for flying", () => {
  it("apply to the noun after an article, otherwise to the one before", () => {
    const flying = (text: string): string[] =>
      readMentions(text)
        .filter((mention) => mention.flying)
        .map(({ kind }) => kind);
    expect(flying("a flying pig and a cow")).toEqual(["pig"]);
    expect(flying("a cow and a dragon flying above the castle")).toEqual(["dragon"]);
  });
});

describe("words of other languages", () => {
  it.each([
    ["ein Kind im Park", ["child", "park"]],
    ["zwei Kinder lassen einen Drachen steigen", ["child", "kite"]],
    ["eine junge Frau auf einer Bank", ["woman", "bench"]],
    ["ein Junge und eine alte Frau", ["boy", "oldwoman"]],
    ["un vieil homme et une vieille dame", ["oldman", "oldwoman"]],
    ["un coucher du soleil avec un bateau à voile", ["sunset", "sailboat"]],
    ["una puesta del sol y un barco de vela", ["sunset", "sailboat"]],
    ["un château de sable", ["other"]],
    ["verschneite Berglandschaft unter Sternen", ["snow", "mountains", "stars"]],
    ["un niño leyendo un libro", ["boy", "hold", "book"]],
  ])("%s", (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  it("read einen and eine as one", () => {
    expect(read("zwei Kinder und ein Hund").figures).toHaveLength(2);
    expect(read("zwei Kinder lassen einen Drachen steigen").things).toMatchObject([
      { kind: "kite", count: 1 },
    ]);
  });
});

describe("words for several people", () => {
  it("draw the right number of people", () => {
    const looks = (prompt: string) =>
      read(prompt).figures.map(({ look }) => (look.figure === "person" ? look.age : look.figure));
    expect(looks("a couple at the lake")).toEqual(["adult", "adult"]);
    expect(looks("a family in the park")).toEqual(["adult", "adult", "child", "child"]);
    expect(looks("friends on a hill")).toHaveLength(3);
    expect(read("una coppia di gatti").figures).toEqual([]);
    expect(read("a couple of sheep and a family of ducks")).toMatchObject({
      figures: [],
      things: [
        { kind: "sheep", count: 2 },
        { kind: "duck", count: 4 },
      ],
    });
  });
});

describe("words with several meanings", () => {
  it("expand Halloween to an autumn night with pumpkins", () => {
    expect(read("Halloween")).toMatchObject({
      season: "autumn",
      time: "night",
      things: [{ kind: "pumpkin" }],
    });
  });
});
