import { describe, expect, it } from "vitest";
import { readRequest } from "./read-request.ts";
import { colourWords } from "./vocabulary/modifiers.ts";

const read = (prompt: string) => readRequest(prompt, [], 1);
const things = (prompt: string) =>
  read(prompt)
    .things.filter(({ count }) => count > 0)
    .map(({ kind, count, colours }) => [kind, count, ...colours]);
const red = colourWords["red"]?.colour ?? "";

describe("things", () => {
  it("are counted once, also when they contain other things", () => {
    expect(things("a cup of coffee on a desk")).toEqual([["cup", 1]]);
    expect(things("a vase of tulips on a desk")).toEqual([["vase", 1]]);
    expect(things("twelve red balloons")).toEqual([["partyballoon", 12, red]]);
    expect(things("a boat, two boats")).toEqual([
      ["boat", 1],
      ["boat", 2],
    ]);
  });

  it("are fruit unless a noun follows, which makes them a colour", () => {
    expect(things("three oranges, a lemon and a bunch of grapes")).toEqual([
      ["orange", 3],
      ["lemon", 1],
      ["grapes", 1],
    ]);
    const orange = colourWords["orange"]?.colour ?? "";
    expect(things("an orange and a lemon")).toHaveLength(2);
    expect(things("an orange cat")).toEqual([["cat", 1, orange]]);
    expect(things("a boat, the sky is orange")).toEqual([["boat", 1]]);
    expect(things("a boat in orange and white")).toEqual([["boat", 1]]);
    expect(things("an orange and white cat")).toEqual([
      ["cat", 1, orange, colourWords["white"]?.colour],
    ]);
  });

  it("are not part of a compound noun or a verb", () => {
    expect(things("two cherry red cars")).toEqual([["car", 2, red]]);
    expect(things("a fruit bat and a mandarin duck")).toEqual([
      ["bat", 1],
      ["duck", 1],
    ]);
    expect(things("a house covered in vines")).toEqual([["house", 1]]);
    expect(things("a woman in a cocktail dress watches the soldiers")).toEqual([]);
    expect(things("a man holding a glass of red wine")).toEqual([]);
  });

  it("are drawn as shoes when no figure wears them", () => {
    expect(things("a pair of red sneakers")).toEqual([["shoe", 2, red]]);
    expect(things("a girl in red sneakers")).toEqual([]);
    expect(things("a cat in red boots")).toEqual([["cat", 1]]);
  });

  it("fly when the prompt says so", () => {
    const flying = (prompt: string) => read(prompt).things.map((thing) => thing.flying);
    expect(flying("a dragon over a castle")).toEqual([true, false]);
    expect(flying("a balloon in the clear blue sky")).toEqual([true]);
    expect(flying("a cow by a house under a blue sky")).toEqual([false, false]);
  });
});

describe("a train", () => {
  it("crosses a bridge unless it is described as beside it", () => {
    expect(things("a red train crossing a viaduct")).toEqual([["viaduct", 1]]);
    expect(read("a red train on a bridge").things[1]?.parts.get("train")).toBe(red);
    for (const prompt of ["a viaduct with a train", "the viaduct with the train"])
      expect(things(prompt)).toEqual([["viaduct", 1]]);
    for (const prompt of ["a train under a bridge", "a train and a bridge"])
      expect(things(prompt)).toEqual([
        ["train", 1],
        ["bridge", 1],
      ]);
  });
});

describe("people", () => {
  it("sit on the furniture that names the room", () => {
    expect(read("a king on his throne")).toMatchObject({
      things: [{ kind: "throne" }],
      figures: [{ pose: "sit", on: 0 }],
      place: { room: "hall" },
    });
    expect(read("a woman reads on a red sofa, a cat beside her")).toMatchObject({
      things: [{ kind: "sofa", colours: [red] }, { kind: "cat" }],
      figures: [{ pose: "sit", on: 0 }],
      place: { room: "livingroom" },
    });
    expect(things("a cat on the sofa")).toEqual([["cat", 1]]);
    expect(things("a boy at the window, a cat asleep on the sofa")).toEqual([["cat", 1]]);
    expect(things("a king and a queen on their thrones")).toEqual([["throne", 1]]);
    expect(read("an old man by the fireplace").place).toMatchObject({ room: "livingroom" });
  });

  it("fly unless the verb has an object", () => {
    const flying = (prompt: string) => read(prompt).figures.map((figure) => figure.flying);
    expect(flying("a witch flying over the village")).toEqual([true]);
    expect(flying("a superhero with a red cape flying over the city")).toEqual([true]);
    for (const prompt of [
      "a boy flying a kite",
      "a boy flying a drone",
      "a man flying in a balloon",
      "a man fly fishing",
      "a girl running, her hair flying in the wind",
      "a helicopter flying over a man",
      "un homme au volant",
    ])
      expect(flying(prompt)).toEqual([false]);
    expect(flying("a superhero flying over the city, a plane behind him")).toEqual([true]);
    expect(flying("a witch over the village, a bird flying")).toEqual([false]);
  });

  it("ride only drawn animals and otherwise stand", () => {
    expect(read("a woman riding through the city").figures).toMatchObject([
      { pose: "stand", on: null },
    ]);
    for (const prompt of [
      "a woman riding a bicycle",
      "a farmer driving a tractor",
      "a girl riding a dragon",
    ])
      expect(read(prompt).figures).toMatchObject([{ pose: "ride", on: 0 }]);
    expect(read("a girl sitting on a fence").figures).toMatchObject([{ pose: "sit", on: 0 }]);
  });

  it("stay seated while they read", () => {
    const [reader] = read("a girl sits on a bench, reading a book").figures;
    expect(reader).toMatchObject({ pose: "sit", on: 0, look: { held: { kind: "book" } } });
  });

  it("are adults when described as young", () => {
    expect(read("a young man").figures).toMatchObject([{ look: { age: "adult" } }]);
    expect(read("a young villager").figures).toMatchObject([{ look: { age: "child" } }]);
  });

  it("stand on the described side", () => {
    expect(read("a boy on the left and a dog on the right")).toMatchObject({
      figures: [{ side: -1 }],
      things: [{ side: 1 }],
    });
  });
});

describe("an animal", () => {
  it("wears the described clothes", () => {
    expect(things("a bird with blue wings")).toEqual([["bird", 1]]);
    const scene = read("a cat wearing a red hat");
    expect(things("a cat wearing a red hat")).toEqual([]);
    expect(scene.figures).toMatchObject([
      { look: { figure: "animal", kind: "cat", hat: { colour: red } } },
    ]);
  });
});
