import { describe, expect, it } from "vitest";
import { createRandom } from "../random.ts";
import { motifsFor } from "./motifs.ts";

function kindsIn(land: readonly string[], town: string | null): Set<string> {
  const kinds = new Set<string>();
  for (let seed = 1; seed < 40; seed += 1)
    for (const { kind } of motifsFor(new Set(land), town, createRandom(seed))) kinds.add(kind);
  return kinds;
}

describe("default motifs of a place", () => {
  it.each([
    ["underwater", ["fish", "turtle", "octopus", "jellyfish"]],
    ["space", ["rocket", "ufo"]],
    ["icefield", ["penguin"]],
    ["mountains", ["pine", "deer", "goat", "eagle"]],
    ["harbour", ["sailboat", "boat", "ship", "gull"]],
    ["beach", ["umbrella", "palm", "gull"]],
  ])("belong to it: %s", (land, expected) => {
    expect([...kindsIn([land], null)].sort()).toEqual([...expected].sort());
  });

  it("have a lamppost on either side in a town", () => {
    const lamps = motifsFor(new Set(), "city", createRandom(1)).filter(
      ({ kind }) => kind === "lamppost",
    );
    expect(lamps.map(({ side }) => side)).toEqual([-1, 1]);
  });
});
