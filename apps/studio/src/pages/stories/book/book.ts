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

/** A finished story as a book. The picture of a page is the version that the story shows. */
export interface Book {
  readonly title: string;
  /** The language of its texts. */
  readonly language: BookLanguage;
  /** Where the texts are: below, beside or over the pictures. */
  readonly layout: BookLayout;
  /** The scene whose picture is on the cover; null for a cover without a picture. */
  readonly cover: number | null;
  /** In reading order. */
  readonly pages: readonly BookPage[];
  /** Scenes without a page. Others that have none are new, and come at the end. */
  readonly leftOut: readonly number[];
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
    cover: scenes[0]?.scene ?? null,
    pages: scenes.map(({ scene, text }) => ({ scene, text: text.slice(0, limits.text) })),
    leftOut: [],
  };
}

/**
 * Reads a book that was saved, which another version may have written.
 *
 * @param fresh takes the place of what is missing; its pages are the scenes of the story.
 */
export function readBook(saved: unknown, fresh: Book): Book {
  if (typeof saved !== "object" || saved === null) return fresh;
  const { title, language, layout, cover, pages, leftOut } = saved as Readonly<
    Record<string, unknown>
  >;
  const isScene = (scene: unknown) => fresh.pages.some((page) => page.scene === scene);
  const read = (
    Array.isArray(pages) ? pages.flatMap((page) => readPage(page)) : fresh.pages
  ).filter(
    ({ scene }, index, all) =>
      isScene(scene) && all.findIndex((page) => page.scene === scene) === index,
  );
  const others = fresh.pages.filter(({ scene }) => read.every((page) => page.scene !== scene));
  // Earlier versions left out every scene without a page.
  const isLeftOut = ({ scene }: BookPage) => !Array.isArray(leftOut) || leftOut.includes(scene);
  return {
    title: typeof title === "string" ? title.slice(0, limits.title) : fresh.title,
    language: isLanguage(language) ? language : fresh.language,
    layout: layouts.find((one) => one === layout) ?? fresh.layout,
    cover: cover === null || isScene(cover) ? (cover as number | null) : fresh.cover,
    pages: [...read, ...others.filter((page) => !isLeftOut(page))],
    leftOut: others.filter(isLeftOut).map(({ scene }) => scene),
  };
}

function readPage(page: unknown): BookPage[] {
  if (typeof page !== "object" || page === null) return [];
  const { scene, text } = page as Readonly<Record<string, unknown>>;
  if (typeof scene !== "number" || typeof text !== "string") return [];
  return [{ scene, text: text.slice(0, limits.text) }];
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
