import type { FoundGeneration } from "@atelier/generations";
import { describe, expect, it } from "vitest";
import { pickScenes, withShownScenes } from "./shown-scenes.ts";

/** A generation with a scene for each flag, which says whether its image is kept. */
function make(id: string, scenes: readonly boolean[], scene?: number): FoundGeneration {
  const found = {
    id,
    kind: scene === undefined ? "story" : "image",
    scenesTotal: scenes.length,
    metadata: scene === undefined ? {} : { studio_story: "story", studio_scene: String(scene) },
    renders: [
      ...(scene === undefined ? [{ role: "portrait", images: [] }] : []),
      ...scenes.map((isKept) => ({
        role: scene === undefined ? "scene" : "image",
        images: [{ format: "png", storageKey: id, deleted: !isKept }],
      })),
    ],
  };
  return found as unknown as FoundGeneration;
}

const story = make("story", [true, true]);
const newer = make("newer", [true], 2);
const older = make("older", [true], 2);
const expired = make("expired", [false], 2);

describe("pickScenes", () => {
  it.each([
    ["the story's own scenes without others", [], [], ["story", "story"]],
    ["the newest version", [newer, older], [], ["story", "newer"]],
    ["the newest version whose image is kept", [expired, older], [], ["story", "older"]],
    ["the chosen version", [newer, older], [[2, "older"]], ["story", "older"]],
    ["the story's own scene when it was chosen", [newer], [[2, "story"]], ["story", "story"]],
    [
      "the newest version when the chosen one is not kept",
      [newer, expired],
      [[2, "expired"]],
      ["story", "newer"],
    ],
    ["no job of another scene", [newer], [[1, "newer"]], ["story", "newer"]],
  ] as const)("shows %s", (_, again, chosen, expected) => {
    const shown = pickScenes(story, { again, chosen: new Map(chosen) });
    expect(shown.map(({ version }) => version.id)).toEqual(expected);
  });

  it("shows a later version when the story's own image is not kept, although it was chosen", () => {
    const shown = pickScenes(make("story", [true, false]), {
      again: [newer],
      chosen: new Map([[2, "story"]]),
    });
    expect(shown.map(({ version }) => version.id)).toEqual(["story", "newer"]);
  });
});

it("puts the images of the versions in the places of the story's scenes", () => {
  const shown = pickScenes(story, { again: [newer], chosen: new Map() });
  const { renders } = withShownScenes(story, shown);
  expect(renders.map(({ role, images }) => [role, images[0]?.storageKey])).toEqual([
    ["portrait", undefined],
    ["scene", "story"],
    ["scene", "newer"],
  ]);
});
