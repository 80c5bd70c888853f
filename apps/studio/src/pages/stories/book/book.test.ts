import { describe, expect, it } from "vitest";
import { changeText, limits, newBook, readBook } from "./book.ts";

const fresh = newBook({
  title: "The lantern",
  language: "en",
  scenes: ["Mira leaves", "It rains"],
});

describe("a book", () => {
  it("begins with a page for each scene and the first scene on the cover", () => {
    expect(fresh).toEqual({
      title: "The lantern",
      language: "en",
      cover: 1,
      pages: [
        { scene: 1, text: "Mira leaves" },
        { scene: 2, text: "It rains" },
      ],
    });
  });

  it("is read as it was kept, with its order, texts and scenes that were left out", () => {
    const kept = { ...changeText(fresh, 2, "Es regnet"), language: "de", cover: null };
    const reordered = { ...kept, pages: kept.pages.toReversed() };
    expect(readBook(JSON.parse(JSON.stringify(reordered)), fresh)).toEqual(reordered);
    expect(readBook({ ...kept, pages: [] }, fresh).pages).toEqual([]);
  });

  it.each([null, "book", 7, [], {}])("is a new one instead of %j", (kept) => {
    expect(readBook(kept, fresh)).toEqual(fresh);
  });

  it("ignores pages without a scene of the story, repeated pages and unknown languages", () => {
    const kept = {
      title: 1,
      language: "toString",
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
    });
  });
});
