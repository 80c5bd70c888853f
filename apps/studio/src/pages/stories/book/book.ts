import { readEntries, type CastEntry } from "../cast/member.ts";
import { isLanguage, type BookLanguage } from "./languages.ts";

/** A page of a book: the picture of a scene with a text below it. */
interface BookPage {
  /** Number of the scene in the story, from 1. */
  readonly scene: number;
  readonly text: string;
}

/** Where the text of a page is. */
export const layouts = ["below", "beside", "over"] as const;
export type BookLayout = (typeof layouts)[number];

/** Fonts of books: one with serifs, and one without. */
export const bookFonts = ["literata", "source-sans"] as const;
export type BookFont = (typeof bookFonts)[number];

/** Sizes of texts, with how many times larger than medium they are. */
export const textScales = { small: 0.8, medium: 1, large: 1.3 } as const;
export type TextSize = keyof typeof textScales;
export const textSizes = Object.keys(textScales) as readonly TextSize[];

/** Pages that only have a text. */
export const textPages = ["dedication", "author"] as const;
export type TextPage = (typeof textPages)[number];

/** A finished story as a book. The picture of a page is the version that the story shows. */
export interface Book {
  readonly title: string;
  /** The language of its texts. */
  readonly language: BookLanguage;
  /** Where the texts are: below, beside or over the pictures. */
  readonly layout: BookLayout;
  readonly font: BookFont;
  readonly textSize: TextSize;
  /** The text of the page before the story; null without this page. */
  readonly dedication: string | null;
  /** The text about the author after the story; null without this page. */
  readonly author: string | null;
  /** Whether a page before the story shows its characters. */
  readonly castPage: boolean;
  /** The scene whose picture is on the cover; null for a cover without a picture. */
  readonly cover: number | null;
  /** In reading order. */
  readonly pages: readonly BookPage[];
  /** Scenes without a page. Others that have none are new, and come at the end. */
  readonly leftOut: readonly number[];
  /** Portraits and places that scenes use in place of those of the story. */
  readonly cast: readonly CastEntry[];
}

/** Longest texts, in characters. */
export const limits = { title: 120, text: 1_000 };

/** The book of a story before its first change. */
export function newBook(story: {
  readonly title: string;
  readonly language: BookLanguage;
  readonly scenes: readonly BookPage[];
}): Book {
  const { title, language, scenes } = story;
  return {
    title: title.slice(0, limits.title),
    language,
    layout: "below",
    font: "literata",
    textSize: "medium",
    dedication: null,
    author: null,
    castPage: false,
    cover: scenes[0]?.scene ?? null,
    pages: scenes.map(({ scene, text }) => ({ scene, text: text.slice(0, limits.text) })),
    leftOut: [],
    cast: [],
  };
}

/**
 * The pages that the files of a book have: the cover, those before the story, of the story and after it.
 *
 * @param hasPortraits whether there are portraits for the page of the characters.
 * @returns the number of the first page of the story, and of all pages.
 */
export function numberPages(
  { dedication, author, castPage, pages }: Book,
  hasPortraits: boolean,
): { readonly first: number; readonly count: number } {
  const isPage = (text: string | null) => (text !== null && text.trim() !== "" ? 1 : 0);
  const first = 2 + isPage(dedication) + (castPage && hasPortraits ? 1 : 0);
  // The last page is the imprint.
  return { first, count: first + pages.length + isPage(author) };
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The scene of a saved page; null for an entry of another form. */
function sceneOf(page: unknown): number | null {
  const scene = isFields(page) ? page["scene"] : null;
  return typeof scene === "number" ? scene : null;
}

/** The entries of a saved list; null if the value is not a list. */
const listOf = (saved: unknown, name: "pages" | "leftOut"): readonly unknown[] | null => {
  const list = isFields(saved) ? saved[name] : null;
  return Array.isArray(list) ? list : null;
};

/** The numbers of the scenes that a saved book names, also of scenes that cannot be shown. */
export function scenesOf(saved: unknown): readonly number[] {
  const named = [
    ...(listOf(saved, "pages") ?? []).map(sceneOf),
    ...(listOf(saved, "leftOut") ?? []),
  ];
  return named.filter((scene) => typeof scene === "number");
}

/**
 * Reads what can be shown of a book that was saved, which another version or another client may have
 * written. Pages of other scenes are not shown; `changeSaved` keeps them.
 *
 * @param fresh takes the place of what is missing; its pages are the scenes that can be shown.
 * @param ownScenes the number of scenes in the request of the story.
 */
export function readBook(saved: unknown, fresh: Book, ownScenes: number): Book {
  if (!isFields(saved)) return fresh;
  const { title, language, layout, font, textSize, cover } = saved;
  const textOf = (page: TextPage) => (typeof saved[page] === "string" ? saved[page] : fresh[page]);
  const entries = listOf(saved, "pages") ?? [];
  const read = entries.flatMap((entry, index) => {
    const scene = sceneOf(entry);
    const page = fresh.pages.find((one) => one.scene === scene);
    if (page === undefined || index !== entries.findIndex((one) => sceneOf(one) === scene)) {
      return [];
    }
    const text = isFields(entry) ? entry["text"] : null;
    return [{ scene: page.scene, text: typeof text === "string" ? text : page.text }];
  });
  const others = fresh.pages.filter(({ scene }) => read.every((page) => page.scene !== scene));
  const leftOut = listOf(saved, "leftOut");
  // Earlier versions, and clients with books of their own, leave out every scene of the story without a page.
  const isLeftOut = ({ scene }: BookPage) =>
    leftOut === null ? read.length > 0 && scene <= ownScenes : leftOut.includes(scene);
  return {
    title: typeof title === "string" ? title : fresh.title,
    language: isLanguage(language) ? language : fresh.language,
    layout: layouts.find((one) => one === layout) ?? fresh.layout,
    font: bookFonts.find((one) => one === font) ?? fresh.font,
    textSize: textSizes.find((one) => one === textSize) ?? fresh.textSize,
    dedication: textOf("dedication"),
    author: textOf("author"),
    castPage: saved["castPage"] === true,
    cover:
      cover === null || fresh.pages.some(({ scene }) => scene === cover)
        ? (cover as number | null)
        : fresh.cover,
    pages: [...read, ...others.filter((page) => !isLeftOut(page))],
    leftOut: others.filter(isLeftOut).map(({ scene }) => scene),
    cast: readEntries(saved["cast"]),
  };
}

/**
 * The saved book after a change of what is shown of it. Everything else stays: properties of other
 * clients, and pages and left-out scenes that cannot be shown now.
 *
 * @param before what `readBook` returned for the saved book.
 */
export function changeSaved(saved: unknown, before: Book, next: Book): object {
  if (!isFields(saved)) return next;
  const changed = Object.entries(next).filter(
    ([name, value]) => !(name in saved) || value !== before[name as keyof Book],
  );
  const book: Record<string, unknown> = { ...saved, ...Object.fromEntries(changed) };
  if (book["pages"] === next.pages) book["pages"] = changePages(saved, before, next);
  if (book["leftOut"] === next.leftOut) {
    const scenes = new Set([...before.pages.map(({ scene }) => scene), ...before.leftOut]);
    const hidden = (listOf(saved, "leftOut") ?? []).filter((one) => !scenes.has(one as number));
    book["leftOut"] = [...hidden, ...next.leftOut];
  }
  return book;
}

/** The pages in their new order; entries that are not shown keep their places among them. */
function changePages(saved: Fields, before: Book, next: Book): readonly unknown[] {
  const entries = listOf(saved, "pages") ?? [];
  const waiting = next.pages.map((page) => {
    const entry = entries.find((one) => sceneOf(one) === page.scene);
    const text = before.pages.find(({ scene }) => scene === page.scene)?.text;
    if (!isFields(entry)) return page;
    return text === page.text ? entry : { ...entry, ...page };
  });
  const wasShown = new Set(before.pages.map(({ scene }) => scene));
  const places = entries.flatMap((entry, index) => {
    const scene = sceneOf(entry);
    if (scene === null || !wasShown.has(scene)) return [entry];
    const isFirst = index === entries.findIndex((one) => sceneOf(one) === scene);
    const isKept = isFirst && next.pages.some((page) => page.scene === scene);
    return isKept ? waiting.splice(0, 1) : [];
  });
  return [...places, ...waiting];
}

/** The book with another text on the page of a scene. */
export function changeText(book: Book, scene: number, text: string): Book {
  return {
    ...book,
    pages: book.pages.map((page) => (page.scene === scene ? { ...page, text } : page)),
  };
}

/** The book without the page of a scene. */
export function leaveOut(book: Book, scene: number): Book {
  return {
    ...book,
    pages: book.pages.filter((page) => page.scene !== scene),
    leftOut: [...book.leftOut, scene],
  };
}

/** The book with a page that was left out, at its end. */
export function putBack(book: Book, page: BookPage): Book {
  return {
    ...book,
    pages: [...book.pages, page],
    leftOut: book.leftOut.filter((scene) => scene !== page.scene),
  };
}
