import type { Job, ListedJob } from "@atelier/schemas";
import { describe, expect, it } from "vitest";
import { addedRequest, withNumber } from "./board/added-request.ts";
import { readAgain } from "./queries.ts";
import { nextNumber, sceneImages } from "./story-cards.ts";

const job = (id: string) => ({ id }) as ListedJob;

describe("the scenes that a story got", () => {
  it("are read from all pages of the list, oldest first", async () => {
    const queries: object[] = [];
    const jobs = await readAgain("s", async (query) => {
      queries.push(query);
      return query.cursor === undefined
        ? { jobs: [job("c"), job("b")], next_cursor: "x=" }
        : { jobs: [job("a")], next_cursor: null };
    });
    expect(jobs.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    const query = { metadata: { studio_story: "s" }, limit: 100 };
    expect(queries).toEqual([query, { ...query, cursor: "x=" }]);
  });

  it("get no number that the book has for a scene of another key", () => {
    const book = {
      pages: [
        { scene: 1, text: "x" },
        { scene: 3, text: "y" },
      ],
      leftOut: [4],
    };
    expect(nextNumber([], book)).toBe(5);
    expect(nextNumber([], null)).toBe(1);
  });

  it("get the number that is free when they are sent, and none before", () => {
    const story = {
      id: "s",
      request: {},
      renders: [{ role: "scene" }, { role: "scene" }],
      book: null,
    } as unknown as Job;
    const content = { prompt: "Rain", characters: [], location: undefined, aspectRatio: undefined };
    const body = addedRequest(story, null, content, []);
    expect(body["metadata"]).toEqual({ studio_story: "s" });
    const ofOtherBrowser = {
      ...job("a"),
      metadata: { studio_scene: "3" },
      error: null,
      result: null,
    };
    expect(withNumber(body, story, [ofOtherBrowser])["metadata"]).toEqual({
      studio_story: "s",
      studio_scene: "4",
    });
  });
});

describe("a picture that was made larger", () => {
  const story = {
    id: "1",
    status: "completed",
    request: { scenes: [{ prompt: "Rain falls" }] },
    renders: [{ role: "scene", status: "completed" }],
    result: { scenes: [{ formats: {} }] },
  } as unknown as Job;
  const again = (id: string, metadata: object, prompt: string | null = null) =>
    ({
      id,
      status: "completed",
      prompt,
      metadata: { studio_story: "1", studio_scene: "1", ...metadata },
      result: null,
      error: null,
    }) as unknown as ListedJob;

  it("is a version with the text of the picture that was drawn", () => {
    const images = sceneImages(story, [
      again("2", { studio_enlarges: "1" }),
      again("3", {}, "Snow falls"),
      again("4", { studio_enlarges: "3" }),
      again("5", { studio_enlarges: "4" }),
    ]);
    expect(images.map(({ text, drawnBy }) => [text, drawnBy])).toEqual([
      ["Rain falls", "1"],
      ["Rain falls", "1"],
      ["Snow falls", "3"],
      ["Snow falls", "3"],
      ["Snow falls", "3"],
    ]);
  });

  it("is its own drawing when its metadata names no earlier job", () => {
    const images = sceneImages(story, [
      again("2", { studio_enlarges: "2" }),
      again("3", { studio_enlarges: "9" }),
    ]);
    expect(images.map(({ drawnBy }) => drawnBy)).toEqual(["1", "2", "3"]);
  });
});
