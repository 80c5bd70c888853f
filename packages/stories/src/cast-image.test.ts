import { operations, parseRequest } from "@atelier/schemas";
import { describe, expect, it } from "vitest";
import { castImage } from "./cast-image.ts";
import type { CastMembers } from "./cast-members.ts";

const mira = "019a9f44-6a3e-7b08-9c21-1d7e5f8a4b60";
const otto = "019a9f44-6a3e-7b08-9c21-1d7e5f8a4b61";
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
  [otto, { kind: "character", name: "Otto", description: "an old sailor", states: [] }],
  [harbour, { kind: "location", name: "Harbour", description: "a small harbour", states: [] }],
]);

const model = { id: "m", maxReferenceImages: 3 };

const imageOf = (body: object) =>
  parseRequest(operations.image.request, { model: "m", prompt: "Mira mends a net", ...body });

const cast = (body: object, ofModel = model) => castImage(imageOf(body), members, ofModel);

const refusal = (details: readonly object[]) =>
  expect.objectContaining({ details: details.map((one) => expect.objectContaining(one)) });

describe("an image with kept characters", () => {
  it("describes them and its location after the prompt, and references their images", () => {
    const image = cast({
      characters: [
        { character_id: mira, state: "rain" },
        { character_id: otto, name: "Uncle" },
      ],
      location: { location_id: harbour },
    });
    expect(image?.prompt.split("\n")).toEqual([
      "Mira mends a net.",
      "Location (Harbour): a small harbour.",
      expect.stringMatching(
        /^Character \(Mira\): a girl with red hair\. Now .* in a yellow raincoat\./,
      ),
      "Character (Uncle): an old sailor.",
      "Keep what the reference images show recognisably the same.",
    ]);
    expect(image?.references.map(({ role, name, source }) => [role, name, source])).toEqual([
      [
        "character",
        "Mira",
        {
          kind: "member",
          member: "character",
          id: mira,
          state: "rain",
          path: "characters.0.character_id",
        },
      ],
      ["character", "Uncle", expect.objectContaining({ id: otto, state: null })],
      ["location", "Harbour", expect.objectContaining({ id: harbour, member: "location" })],
    ]);
  });

  it("keeps a request that makes the same image when it is sent again", () => {
    const image = cast({
      characters: [{ character_id: mira, state: "rain" }],
      location: { location_id: harbour, name: " Port " },
    });
    expect(image?.request).toMatchObject({
      prompt: "Mira mends a net",
      characters: [{ character_id: mira, name: "Mira", state: "rain" }],
      location: { location_id: harbour, name: "Port" },
    });
    expect(cast({ ...image?.request })).toEqual(image);
  });

  it("has all texts moderated, each with its path and together in the prompt", () => {
    const image = cast({ characters: [{ character_id: otto }] });
    expect(image?.texts).toEqual([
      { path: "prompt", text: "Mira mends a net" },
      { path: "characters.0.name", text: "Otto" },
      { path: "characters.0.description", text: "an old sailor" },
    ]);
    expect(image?.composedOf).toEqual(["prompt", "characters.0.name", "characters.0.description"]);
  });

  it("is refused for every id and state that does not exist", () => {
    const body = {
      characters: [{ character_id: harbour }, { character_id: mira, state: "snow" }],
      location: { location_id: mira },
    };
    expect(() => cast(body)).toThrow(
      refusal([
        { path: "characters.0.character_id", code: "unknown_character" },
        { path: "characters.1.state", code: "unknown_state", available: ["rain"] },
        { path: "location.location_id", code: "unknown_location" },
      ]),
    );
  });

  it("is refused for one name of two characters, but not for one character in two looks", () => {
    const twice = [{ character_id: mira }, { character_id: mira, state: "rain" }];
    expect(() => cast({ characters: twice })).toThrow(
      refusal([{ path: "characters.1.name", code: "duplicate_name" }]),
    );
    const named = [{ character_id: mira }, { character_id: mira, state: "rain", name: "Her twin" }];
    expect(cast({ characters: named })?.references).toHaveLength(2);
  });

  it("is refused by a model that takes no reference images, or fewer", () => {
    const characters = [{ character_id: mira }, { character_id: otto }];
    const location = { location_id: harbour };
    expect(() => cast({ characters, location }, { id: "m", maxReferenceImages: 0 })).toThrow(
      refusal([
        { path: "characters.0.character_id", code: "references_not_supported" },
        { path: "characters.1.character_id", code: "references_not_supported" },
        { path: "location.location_id", code: "references_not_supported" },
      ]),
    );
    const reference_images = [{ description: "a net", url: "https://example.com/net.png" }];
    expect(cast({ characters, reference_images })?.references).toHaveLength(2);
    expect(() => cast({ characters, location, reference_images })).toThrow(
      refusal([{ path: "characters", code: "references_not_supported", max: 3 }]),
    );
  });

  it("is refused when its complete prompt is too long for any model", () => {
    const body = { prompt: "x".repeat(32_000), characters: [{ character_id: mira }] };
    expect(() => cast(body)).toThrow(refusal([{ path: "prompt", code: "too_big" }]));
  });

  it("is refused for a character without an id, as it belongs to no story", () => {
    expect(() => cast({ characters: ["Mira"] })).toThrow("characters.0 must be an object");
    expect(() => cast({ characters: [{ name: "Mira" }] })).toThrow(
      "characters.0.character_id is required",
    );
    expect(() => cast({ location: { name: "Harbour" } })).toThrow(
      "location.location_id is required",
    );
  });

  it("is an image like others without characters", () => {
    expect(cast({ characters: [] })).toBeNull();
  });
});
