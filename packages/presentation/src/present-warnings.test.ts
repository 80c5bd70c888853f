import type { FoundRender } from "@atelier/generations/jobs";
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

it("says what a model drew of the prompts, what it cannot read, and where it drew a pattern", () => {
  const warn = (...readings: object[]) =>
    presentWarnings({
      kind: "image",
      request: {},
      renders: readings.map((reading) => ({ spec: { reading } })) as unknown as FoundRender[],
    }).warnings;
  const some = { understood: ["lighthouse"], unread: ["🦊"], isPattern: false };
  const none = { understood: [], unread: ["ثعلب"], isPattern: true };
  expect(warn(some, some)).toEqual(["The model drew: lighthouse. It cannot read: 🦊."]);
  expect(warn(none)).toEqual([
    "The model cannot read: ثعلب. It drew a pattern where it understood nothing that it can draw. Name people, animals, places or things, best in English.",
  ]);
  expect(warn({ ...none, unread: [] })).toEqual([
    expect.stringMatching(/^The model drew a pattern where it understood nothing/),
  ]);
});
