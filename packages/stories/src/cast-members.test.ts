import { parseRequest, operations } from "@atelier/schemas";
import { describe, expect, it } from "vitest";
import { castScene, castStory, type CastMembers } from "./cast-members.ts";

const mira = "019a9f44-6a3e-7b08-9c21-1d7e5f8a4b60";
const harbour = "019a9f44-7d1c-7e52-8a36-5b0c4d9e2f17";

const members: CastMembers = new Map([
  [
    mira,
    {
      kind: "character",
      name: "Mira",
      description: "a girl with red hair",
      states: [{ state: "rain", description: "in a yellow raincoat" }],
    },
  ],
  [harbour, { kind: "location", name: "Harbour", description: "a small harbour", states: [] }],
]);

const storyOf = (body: object) =>
  parseRequest(operations.story.request, {
    model: "m",
    scenes: [{ prompt: "Mira waits" }, { prompt: "Mira leaves" }],
    ...body,
  });

const sceneOf = (body: object) =>
  parseRequest(operations.scene.request, { model: "m", prompt: "Mira waits", ...body });

describe("a story with kept characters", () => {
  it("has their names, descriptions and images, and states of its own beside theirs", () => {
    const story = storyOf({
      characters: [
        { character_id: mira, name: "Aunt Mira", states: { old: { description: "grey hair" } } },
        { name: "Tom", description: "a boy" },
      ],
      locations: [{ location_id: harbour }],
    });
    expect(castStory(story, members)).toMatchObject({
      characters: [
        {
          name: "Aunt Mira",
          description: "a girl with red hair",
          reference: { character_id: mira },
          states: {
            rain: {
              description: "in a yellow raincoat",
              reference: { character_id: mira, state: "rain" },
            },
            old: { description: "grey hair" },
          },
        },
        { name: "Tom", description: "a boy" },
      ],
      locations: [
        { name: "Harbour", description: "a small harbour", reference: { location_id: harbour } },
      ],
    });
  });

  it("is refused for every id that is not of a character, or of a location", () => {
    const story = storyOf({
      characters: [{ character_id: harbour }],
      locations: [{ location_id: "019a9f44-0000-7000-8000-000000000000" }],
    });
    expect(() => castStory(story, members)).toThrow(
      expect.objectContaining({
        code: "unknown_character",
        details: [
          expect.objectContaining({ path: "characters.0.character_id" }),
          expect.objectContaining({ path: "locations.0.location_id", code: "unknown_location" }),
        ],
      }),
    );
  });

  it("is refused when a character has more than five states with its own", () => {
    const states = Object.fromEntries(
      ["a", "b", "c", "d", "e"].map((key) => [key, { description: "another look" }]),
    );
    const story = storyOf({ characters: [{ character_id: mira, states }] });
    expect(() => castStory(story, members)).toThrow("at most 5 states");
  });

  it("is refused when it describes them again, and other characters need a description", () => {
    const describedAgain = [{ character_id: mira, description: "a boy" }];
    expect(() => storyOf({ characters: describedAgain })).toThrow(
      "characters.0.description must be omitted beside character_id",
    );
    expect(() => storyOf({ characters: [{ name: "Tom" }] })).toThrow(
      "characters.0.description is required",
    );
  });
});

describe("a scene with kept characters", () => {
  it("shows them in their states", () => {
    const scene = sceneOf({
      characters: [{ character_id: mira, state: "rain" }],
      location: { location_id: harbour },
    });
    expect(castScene(scene, members)).toMatchObject({
      characters: [
        {
          name: "Mira",
          description: expect.stringMatching(/^a girl with red hair.*in a yellow raincoat/),
          reference: { character_id: mira, state: "rain" },
        },
      ],
      location: { name: "Harbour", reference: { location_id: harbour } },
    });
  });

  it("is refused for a state that the character does not have", () => {
    const scene = sceneOf({ characters: [{ character_id: mira, state: "snow" }] });
    expect(() => castScene(scene, members)).toThrow(
      'character "Mira" has no state "snow"; defined: "rain"',
    );
  });
});
