import { expect, it } from "vitest";
import { presentWarnings } from "./present-warnings.ts";

const characterId = "019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46";

it("names the states that a story gives a character, and not those of a kept one", () => {
  const rain = { description: "a raincoat" };
  const kept = { ...rain, reference: { character_id: characterId, state: "rain" } };
  const request = {
    characters: [
      {
        name: "Mira",
        description: "",
        reference: { character_id: characterId },
        states: { kept, own: rain },
      },
    ],
    scenes: [{ prompt: "Mira by the sea", characters: [{ name: "Mira" }] }],
  };
  expect(presentWarnings({ kind: "story", request, renders: [] })).toEqual({
    warnings: ['No scene names these states: "own" of "Mira".'],
  });
});
