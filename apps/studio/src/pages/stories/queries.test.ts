import type { ListedJob } from "@atelier/schemas";
import { describe, expect, it } from "vitest";
import { readAgain } from "./queries.ts";
import { nextNumber } from "./story-cards.ts";

const job = (id: string) => ({ id }) as ListedJob;

describe("the scenes that a story got", () => {
  it("are read from all pages of the list, oldest first", async () => {
    const pages = new Map([
      [
        "/v1/jobs?metadata.studio_story=s&limit=100",
        { jobs: [job("c"), job("b")], next_cursor: "x=" },
      ],
      [
        "/v1/jobs?metadata.studio_story=s&limit=100&cursor=x%3D",
        { jobs: [job("a")], next_cursor: null },
      ],
    ]);
    const jobs = await readAgain("s", async (path) => {
      const page = pages.get(path);
      if (page === undefined) throw new Error(`unexpected path: ${path}`);
      return page;
    });
    expect(jobs.map(({ id }) => id)).toEqual(["a", "b", "c"]);
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
});
