import { describe, expect, it } from "vitest";
import { readRequest } from "./read-request.ts";
import { colourWords } from "./vocabulary/modifiers.ts";

const placeOf = (prompt: string) => readRequest(prompt, [], 1).place;
const colours = (...names: string[]) => names.map((name) => colourWords[name]?.colour);

describe("a prompt that names nothing the illustrator knows", () => {
  it.each([
    ["freedom", [], null],
    ["", [], null],
    ["loneliness, dark blue", colours("navy"), "dark"],
    ["the joy of mathematics in red and yellow", colours("red", "yellow"), "lively"],
    ["Ruhe in weißem und blauem Ton", colours("white", "blue"), "calm"],
    ["watercolour of pure harmony in green", colours("green"), "calm"],
  ])("becomes a composition in its colours and mood: %s", (prompt, wanted, mood) => {
    expect(placeOf(prompt)).toEqual({ kind: "abstract", colours: wanted, mood });
  });

  it("keeps its style", () => {
    expect(readRequest("watercolour of pure harmony", [], 1).style).toBe("watercolour");
  });
});

it.each(["a red house", "sunset", "a girl", "rain", "Mira waits"])(
  "a prompt with a known noun, name or time is a scene: %s",
  (prompt) => {
    const mira = { role: "character", name: "Mira", description: "a girl" } as const;
    expect(readRequest(prompt, prompt.startsWith("Mira") ? [mira] : [], 1).place.kind).not.toBe(
      "abstract",
    );
  },
);
