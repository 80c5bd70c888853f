import { describe, expect, it } from "vitest";
import {
  changeSaved,
  changeText,
  leaveOut,
  limits,
  newBook,
  numberPages,
  putBack,
  readBook as readWith,
  scenesOf,
  type Book,
} from "./book.ts";

/** The story has two scenes of its own. */
const readBook = (saved: unknown, fresh: Book) => readWith(saved, fresh, 2);

const fresh = newBook({
  title: "The lantern",
  language: "en",
  scenes: [
    { scene: 1, text: "Mira leaves" },
    { scene: 2, text: "It rains" },
  ],
});

describe("a book", () => {
  it("numbers its pages as the files do", () => {
    expect(numberPages(fresh, true)).toEqual({ first: 2, count: 4 });
    const longer = { ...fresh, dedication: "For Ada", author: "Ada writes.", castPage: true };
    expect(numberPages(longer, true)).toEqual({ first: 4, count: 7 });
    expect(numberPages(longer, false)).toEqual({ first: 3, count: 6 });
    expect(numberPages({ ...longer, dedication: " ", author: "" }, true)).toEqual({
      first: 3,
      count: 5,
    });
  });

  it("begins with a page for each scene and the first scene on the cover", () => {
    expect(fresh).toEqual({
      title: "The lantern",
      language: "en",
      layout: "below",
      font: "literata",
      textSize: "medium",
      dedication: null,
      author: null,
      castPage: false,
      cover: 1,
      pages: [
        { scene: 1, text: "Mira leaves" },
        { scene: 2, text: "It rains" },
      ],
      leftOut: [],
      cast: [],
    });
  });

  it("is read as it was kept, with its order, texts and scenes that were left out", () => {
    const kept = {
      ...changeText(fresh, 2, "Es regnet"),
      language: "de",
      layout: "over",
      font: "source-sans",
      textSize: "large",
      dedication: "For Ada",
      author: "",
      castPage: true,
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

  it.each([null, "book", 7, [], {}, { pages: [] }, { pages: ["of another form"] }])(
    "is a new one instead of %j",
    (kept) => {
      expect(readBook(kept, fresh)).toEqual(fresh);
    },
  );

  it("ignores pages without a scene of the story, repeated pages and unknown languages", () => {
    const kept = {
      title: 1,
      language: "toString",
      layout: "upside down",
      font: "of another client",
      textSize: 12,
      dedication: ["For Ada"],
      author: { name: "Ada" },
      castPage: "yes",
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
      pages: [{ scene: 2, text: "a".repeat(limits.text + 1) }],
      leftOut: [1],
    });
  });

  it("shows texts of the story on pages of another client, and scenes that were added since", () => {
    const longer = { ...fresh, pages: [...fresh.pages, { scene: 3, text: "Home" }] };
    expect(readBook({ pages: [{ scene: 2, job_id: "of another try" }] }, longer)).toMatchObject({
      pages: [
        { scene: 2, text: "It rains" },
        { scene: 3, text: "Home" },
      ],
      leftOut: [1],
    });
  });
});

describe("a change of a saved book", () => {
  const change = (saved: unknown, edit: (book: Book) => Book) => {
    const before = readBook(saved, fresh);
    return changeSaved(saved, before, edit(before));
  };
  const moved = (book: Book): Book => ({ ...book, pages: book.pages.toReversed() });

  it("keeps pages and left-out scenes that cannot be shown now", () => {
    const saved = {
      ...fresh,
      cover: 3,
      pages: [
        { scene: 1, text: "x" },
        { scene: 3, text: "added" },
        { scene: 2, text: "y" },
      ],
      leftOut: [4],
    };
    expect(readBook(saved, fresh).pages).toEqual([
      { scene: 1, text: "x" },
      { scene: 2, text: "y" },
    ]);
    expect(change(saved, moved)).toEqual({
      ...saved,
      pages: [
        { scene: 2, text: "y" },
        { scene: 3, text: "added" },
        { scene: 1, text: "x" },
      ],
    });
    expect(change(saved, (book) => leaveOut(book, 1))).toEqual({
      ...saved,
      pages: saved.pages.slice(1),
      leftOut: [4, 1],
    });
    expect(scenesOf(saved)).toEqual([1, 3, 2, 4]);
  });

  it("keeps properties of other clients, of the book and of its pages", () => {
    const saved = {
      title: { de: "Die Laterne" },
      language: "ja",
      paper: "A5",
      pages: [{ scene: 2, job_id: "a try" }, { text: "An interlude" }, { scene: 1, job_id: "b" }],
    };
    expect(change(saved, (book) => changeText(book, 2, "Regen"))).toMatchObject({
      ...saved,
      pages: [{ scene: 2, job_id: "a try", text: "Regen" }, ...saved.pages.slice(1)],
    });
    expect(change(saved, moved)).toMatchObject({ pages: saved.pages.toReversed() });
    expect(change(saved, (book) => ({ ...book, title: "The lantern 2" }))).toMatchObject({
      ...saved,
      title: "The lantern 2",
    });
  });

  it("puts a page that was left out back at the end", () => {
    const shorter = leaveOut(fresh, 1);
    expect(change(shorter, (book) => putBack(book, { scene: 1, text: "x" }))).toEqual({
      ...fresh,
      pages: [
        { scene: 2, text: "It rains" },
        { scene: 1, text: "x" },
      ],
    });
  });

  it("is the whole book when none was saved", () => {
    expect(change(null, moved)).toEqual(moved(fresh));
  });
});
