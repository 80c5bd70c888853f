import { describe, expect, it } from "vitest";
import { changeText, leaveOut, limits, newBook, putBack, readBook } from "./book.ts";

const fresh = newBook({
  title: "The lantern",
  language: "en",
  scenes: [
    { scene: 1, text: "Mira leaves" },
    { scene: 2, text: "It rains" },
  ],
});

describe("a book", () => {
  it("begins with a page for each scene and the first scene on the cover", () => {
    expect(fresh).toEqual({
      title: "The lantern",
      language: "en",
      layout: "below",
      cover: 1,
      pages: [
        { scene: 1, text: "Mira leaves" },
        { scene: 2, text: "It rains" },
      ],
      leftOut: [],
    });
  });

  it("is read as it was kept, with its order, texts and scenes that were left out", () => {
    const kept = {
      ...changeText(fresh, 2, "Es regnet"),
      language: "de",
      layout: "over",
      cover: null,
    };
    const reordered = { ...kept, pages: kept.pages.toReversed() };
    expect(readBook(JSON.parse(JSON.stringify(reordered)), fresh)).toEqual(reordered);
    expect(readBook({ ...kept, pages: [], leftOut: [2, 1] }, fresh).pages).toEqual([]);
  });

  it("leaves out a page and puts it back at the end", () => {
    const shorter = leaveOut(fresh, 1);
    expect(shorter).toMatchObject({ pages: [{ scene: 2 }], leftOut: [1] });
    expect(readBook(shorter, fresh)).toEqual(shorter);
    const [page] = fresh.pages;
    if (page === undefined) throw new Error("the book has no page");
    expect(putBack(shorter, page)).toMatchObject({
      pages: [{ scene: 2 }, { scene: 1 }],
      leftOut: [],
    });
  });

  it("has a page at its end for a scene that the story got since", () => {
    const longer = { ...fresh, pages: [...fresh.pages, { scene: 3, text: "Home" }] };
    expect(readBook(leaveOut(fresh, 1), longer)).toMatchObject({
      pages: [{ scene: 2 }, { scene: 3, text: "Home" }],
      leftOut: [1],
    });
  });

  it("of an earlier version leaves out every scene without a page", () => {
    const { leftOut: _, ...earlier } = leaveOut(fresh, 2);
    expect(readBook(earlier, fresh)).toMatchObject({ pages: [{ scene: 1 }], leftOut: [2] });
  });

  it.each([null, "book", 7, [], {}])("is a new one instead of %j", (kept) => {
    expect(readBook(kept, fresh)).toEqual(fresh);
  });

  it("ignores pages without a scene of the story, repeated pages and unknown languages", () => {
    const kept = {
      title: 1,
      language: "toString",
      layout: "upside down",
      cover: 9,
      pages: [
        { scene: 2, text: "a".repeat(limits.text + 1) },
        { scene: 2, text: "again" },
        { scene: 3, text: "of another story" },
        { scene: "1", text: "x" },
        null,
      ],
    };
    expect(readBook(kept, fresh)).toEqual({
      ...fresh,
      pages: [{ scene: 2, text: "a".repeat(limits.text) }],
      leftOut: [1],
    });
  });
});
