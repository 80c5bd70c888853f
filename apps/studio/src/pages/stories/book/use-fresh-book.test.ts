import type { Job } from "@atelier/schemas";
import { describe, expect, it } from "vitest";
import type { StoryImage } from "../story-cards.ts";
import { freshBook } from "./use-fresh-book.ts";

const image = (scene: number, version: number, status: StoryImage["status"]) =>
  ({ scene, version, status, text: `scene ${scene}` }) as StoryImage;

describe("the book of a story before its first change", () => {
  it("has no page for a scene whose versions all failed or were cancelled", () => {
    const scenes = [
      image(1, 1, "completed"),
      image(2, 1, "failed"),
      image(2, 2, "cancelled"),
      image(3, 1, "failed"),
      image(3, 2, "completed"),
      image(4, 1, "processing"),
    ];
    const { pages } = freshBook({ title: "The pier", request: {} } as unknown as Job, scenes);
    expect(pages.map(({ scene }) => scene)).toEqual([1, 3, 4]);
  });
});
