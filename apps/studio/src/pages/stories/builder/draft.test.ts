import { expect, it } from "vitest";
import { changeScene, newScene, type DraftScene } from "./draft.ts";

const mira = { characterId: "mira", stateId: null };
const scene = (id: string, part: Partial<DraftScene> = {}): DraftScene => ({
  ...newScene(),
  id,
  ...part,
});
const casts = (scenes: readonly DraftScene[]) =>
  scenes.map(({ characters }) => characters.map(({ characterId }) => characterId).join());

it("passes the cast of a scene on to the empty scenes after it that have the same", () => {
  const scenes = [scene("1"), scene("2"), scene("3", { prompt: "Otto reads" }), scene("4")];
  const changed = changeScene(scenes, "1", { characters: [mira], locationId: "pier" });
  expect(casts(changed)).toEqual(["mira", "mira", "", ""]);
  expect(changed.map(({ locationId }) => locationId)).toEqual(["pier", "pier", null, null]);
});

it("keeps the cast of an empty scene that was chosen for it, and of scenes before", () => {
  const otto = { characterId: "otto", stateId: null };
  const scenes = [scene("1"), scene("2"), scene("3", { characters: [otto] }), scene("4")];
  expect(casts(changeScene(scenes, "2", { characters: [mira] }))).toEqual(["", "mira", "otto", ""]);
});

it("changes only the text of one scene", () => {
  const scenes = [scene("1"), scene("2")];
  const changed = changeScene(scenes, "1", { prompt: "Mira waves" });
  expect(changed.map(({ prompt }) => prompt)).toEqual(["Mira waves", ""]);
});
