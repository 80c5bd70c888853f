import type { FoundGeneration } from "@atelier/generations/jobs";
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

describe("scenes that were added", () => {
  const eleventh = make("eleventh", [true], 5);
  const again = [make("newest", [false], 5), eleventh, make("third", [true], 3)];

  it("follow the story's own by their numbers, with the newest version whose image is kept", () => {
    const shown = pickScenes(story, { again, chosen: new Map() });
    expect(shown.map(({ scene, version }) => [scene, version.id])).toEqual([
      [1, "story"],
      [2, "story"],
      [3, "third"],
      [5, "eleventh"],
    ]);
  });

  it("keep their numbers in the archive", () => {
    const { renders } = withShownScenes(story, pickScenes(story, { again, chosen: new Map() }));
    expect(renders.slice(1).map(({ role, images }) => [role, images[0]?.storageKey])).toEqual([
      ["scene", "story"],
      ["scene", "story"],
      ["scene", "third"],
      ["scene", undefined],
      ["scene", "eleventh"],
    ]);
  });

  it("have numbers from 1 to 1,000", () => {
    const odd = [0, -1, 1.5, 1_001, Number.NaN].map((number) => make("odd", [true], number));
    expect(pickScenes(story, { again: odd, chosen: new Map() })).toHaveLength(2);
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
