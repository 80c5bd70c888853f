import { describe, expect, it } from "vitest";
import { readRequest } from "./read-request.ts";
import { colourWords } from "./vocabulary/modifiers.ts";

const read = (prompt: string, seed = 1) => readRequest(prompt, [], seed);

describe("the place", () => {
  it("is a close-up table for objects on a table without a room", () => {
    for (const prompt of [
      "a bowl of fruit on a wooden table",
      "a cake and a candle",
      "three oranges, a lemon and a bunch of grapes",
      "a product photo of white sneakers",
    ])
      expect(read(prompt).place.kind).toBe("tabletop");
    for (const prompt of [
      "a cup of coffee in the kitchen",
      "a book beside a lamp",
      "a table",
      "a book on a piano",
    ])
      expect(read(prompt).place.kind).toBe("room");
    expect(read("a picnic table in a meadow").place.kind).toBe("outdoors");
    for (const prompt of [
      "a girl with a book",
      "a squirrel with an apple",
      "a bottle in the snow",
      "a flying pizza",
      "a player holding a trophy",
      "a lamp under the stars",
    ])
      expect(read(prompt).place.kind).toBe("outdoors");
  });

  it("is the same for a described location with different people", () => {
    const at = (description: string) =>
      ["A girl waves.", "Nobody is there.", "A cup."].map((prompt) =>
        readRequest(prompt, [{ role: "location", name: "Nook", description }], 1),
      );
    for (const { place } of at("A cosy nook with a bottle of wine and a globe"))
      expect(place).toMatchObject({ kind: "room", room: "room" });
    // The room already has its throne at the wall.
    for (const { place, fixtures } of at("The great hall, an old king on a golden throne"))
      expect({ place, fixtures }).toMatchObject({ place: { room: "hall" }, fixtures: [] });
  });

  it("knows the colour of furniture and whether it is occupied", () => {
    expect(read("a cat on a red sofa").place).toMatchObject({
      room: "livingroom",
      colour: colourWords["red"]?.colour,
      onFurniture: true,
    });
    expect(read("a cat in the bedroom").place).toMatchObject({ colour: null, onFurniture: false });
  });

  it("is the moon when named, and space for an astronaut", () => {
    for (const prompt of ["a horse on the moon", "ein Hund auf dem Mond", "an astronaut"])
      expect(read(prompt).place).toMatchObject({ land: new Set(["space"]) });
    expect(read("the moon over a hill")).toMatchObject({ time: "night", sky: new Set(["moon"]) });
  });

  it("is a neon city at night", () => {
    expect(read("a cyberpunk city in the rain")).toMatchObject({
      time: "night",
      place: { town: "city", land: new Set(["neon"]) },
    });
  });

  it("has water for what floats", () => {
    const { place } = read("a cow in a boat");
    expect(place.kind === "outdoors" && place.land.has("lake")).toBe(true);
  });

  it("is never a random river, since people would stand in it", () => {
    for (let seed = 1; seed < 60; seed += 1) {
      const { place } = read("a girl", seed);
      expect(place.kind === "outdoors" && place.land.has("river")).toBe(false);
    }
  });
});

describe("the sky", () => {
  it("has no clouds when the prompt excludes them", () => {
    for (const prompt of ["a hill without clouds", "a hill under a clear blue sky", "cloudless"])
      expect(read(prompt).sky).toEqual(new Set(["cloudless"]));
    expect(read("a hill with clouds").sky).toEqual(new Set(["cloud"]));
  });

  it("has the described moon", () => {
    expect(read("full moon over a lake")).toMatchObject({
      time: "night",
      sky: new Set(["fullmoon"]),
    });
    expect(read("a crescent moon").sky).toEqual(new Set(["crescent"]));
  });
});

describe("an empty place", () => {
  it.each([
    "an empty beach",
    "a beach, nobody there",
    "a beach without people",
    "ein leerer Strand",
  ])("%s", (prompt) => {
    expect(read(prompt).empty).toBe(true);
  });

  it("is not assumed when only clouds or text are excluded", () => {
    expect(read("a beach without clouds").empty).toBe(false);
    expect(read("a beach, no text").empty).toBe(false);
  });
});
