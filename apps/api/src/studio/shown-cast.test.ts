import type { FoundGeneration } from "@atelier/generations/jobs";
import { expect, it } from "vitest";
import { withShownCast } from "./shown-cast.ts";

const tryId = "0197c1a8-0000-7000-8000-000000000001";

const render = (key: string, role: string, name: string, state?: string, deleted = false) => ({
  role,
  spec: { name, state },
  images: [{ format: "png", storageKey: key, deleted }],
});

const story = (cast: unknown) =>
  ({
    book: { cast },
    renders: [
      render("mira", "portrait", "Mira"),
      render("wet", "state", "Mira", "wet"),
      render("pier", "location", "Pier"),
      render("scene", "scene", "Mira"),
    ],
  }) as unknown as FoundGeneration;

/** The files of the story when a job made these renders. */
function keysOf(cast: unknown, made: readonly object[]): (string | undefined)[] {
  const job = { id: tryId, renders: made } as unknown as FoundGeneration;
  const { renders } = withShownCast(story(cast), new Map([[tryId, job]]));
  return renders.map(({ images }) => images[0]?.storageKey);
}

it.each([
  ["a portrait", { portrait: "Mira" }, render("new", "portrait", "Mira"), 0],
  ["a state", { portrait: "Mira", state: "wet" }, render("new", "state", "Mira", "wet"), 1],
  ["a location", { location: "Pier" }, render("new", "location", "Pier"), 2],
])("shows %s that the book chose", (_, member, made, position) => {
  const expected = ["mira", "wet", "pier", "scene"];
  expected[position] = "new";
  expect(keysOf([{ ...member, job_id: tryId }], [made])).toEqual(expected);
});

it("shows the story's own pictures when a chosen one is not kept, or a choice has another shape", () => {
  const own = ["mira", "wet", "pier", "scene"];
  const choice = { portrait: "Mira", job_id: tryId };
  expect(keysOf([choice], [render("new", "portrait", "Mira", undefined, true)])).toEqual(own);
  expect(keysOf([choice], [])).toEqual(own);
  expect(keysOf([null, "Mira", { portrait: "Mira" }, { job_id: tryId }], [])).toEqual(own);
  expect(keysOf("cast", [])).toEqual(own);
});
